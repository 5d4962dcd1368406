package org.hyperslab.format.header;

import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The fill value message: the fill value of a dataset, the time at which its space is allocated,
 * and the time at which the value is written.
 *
 * <pre>
 *   versions 1 and 2                          version 3
 *   1  version                                1  version
 *   1  allocation time                        1  flags: 0-1 allocation time, 2-3 write time,
 *   1  write time                                       4 undefined, 5 value present
 *   1  whether defined                        4  size          (if present)
 *   4  size    (version 2: if defined)           value
 *      value
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2.f; reference {@code H5Ofill.c}.
 *
 * @param version 1, 2 or 3
 * @param allocation the time at which space is allocated
 * @param write the time at which the value is written to the space
 * @param kind the kind of the fill value
 * @param value one element in the dataset's datatype, file form; empty unless {@link Kind#VALUE}
 */
public record FillValueMessage(
    int version, Allocation allocation, Write write, Kind kind, Bytes value) implements Message {

  private static final int FLAG_UNDEFINED = 0x10;
  private static final int FLAG_VALUE = 0x20;
  private static final long UNDEFINED_SIZE = 0xFFFF_FFFFL;

  /** The time at which space for elements is allocated. */
  public enum Allocation {
    /** Unspecified: the layout's default. */
    DEFAULT(0),
    /** Allocate when the dataset is created. */
    EARLY(1),
    /** Allocate when the dataset is first written. */
    LATE(2),
    /** Allocate each chunk when it is first written. */
    INCREMENTAL(3);

    private final int code;

    Allocation(int code) {
      this.code = code;
    }
  }

  /** The time at which the fill value is written. */
  public enum Write {
    /** Write it when space is allocated. */
    ON_ALLOCATION(0),
    /** Never write it. */
    NEVER(1),
    /** Write it when space is allocated, provided that the user gave a value. */
    IF_SET(2);

    private final int code;

    Write(int code) {
      this.code = code;
    }
  }

  /** The kinds of fill values. */
  public enum Kind {
    /** No fill value: unwritten elements are undefined. */
    UNDEFINED,
    /** The default value, zeros. */
    DEFAULT,
    /** A value given by the user. */
    VALUE
  }

  /**
   * {@return the default value, written only if the user gave a value}
   *
   * @param version the version
   * @param allocation the time at which space is allocated
   */
  public static FillValueMessage defaultValue(int version, Allocation allocation) {
    return new FillValueMessage(version, allocation, Write.IF_SET, Kind.DEFAULT, Bytes.EMPTY);
  }

  @Override
  public int typeCode() {
    return MessageType.FILL_VALUE.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static FillValueMessage decode(MetadataReader reader) {
    int version = reader.u8();
    return switch (version) {
      case 1, 2 -> decodeFields(reader, version);
      case 3 -> decodeFlags(reader);
      default ->
          throw new UnsupportedFeatureException(
              "fill value message version: actual="
                  + version
                  + ", expected=1..3, at="
                  + reader.geometry().file());
    };
  }

  private static FillValueMessage decodeFields(MetadataReader reader, int version) {
    Allocation allocation = allocation(reader, reader.u8());
    Write write = write(reader, reader.u8());
    boolean defined = reader.u8() != 0;
    if (!defined) {
      return new FillValueMessage(version, allocation, write, Kind.UNDEFINED, Bytes.EMPTY);
    }
    Bytes value = value(reader);
    Kind kind = value.size() == 0 ? Kind.DEFAULT : Kind.VALUE;
    return new FillValueMessage(version, allocation, write, kind, value);
  }

  private static FillValueMessage decodeFlags(MetadataReader reader) {
    int flags = reader.u8();
    Allocation allocation = allocation(reader, flags & 3);
    Write write = write(reader, (flags >> 2) & 3);
    boolean undefined = (flags & FLAG_UNDEFINED) != 0;
    boolean present = (flags & FLAG_VALUE) != 0;
    if ((flags & 0xC0) != 0 || (undefined && present)) {
      throw reader.corrupt("flags actual=0x" + Integer.toHexString(flags));
    }
    Bytes value = present ? value(reader) : Bytes.EMPTY;
    Kind kind = undefined ? Kind.UNDEFINED : present ? Kind.VALUE : Kind.DEFAULT;
    return new FillValueMessage(3, allocation, write, kind, value);
  }

  private static Bytes value(MetadataReader reader) {
    long size = reader.u32();
    if (size == UNDEFINED_SIZE) {
      return Bytes.EMPTY;
    }
    if (size > reader.remaining()) {
      throw reader.corrupt("size actual=" + size + ", expected=at most " + reader.remaining());
    }
    return Bytes.read(reader, (int) size);
  }

  private static Allocation allocation(MetadataReader reader, int code) {
    return switch (code) {
      case 0 -> Allocation.DEFAULT;
      case 1 -> Allocation.EARLY;
      case 2 -> Allocation.LATE;
      case 3 -> Allocation.INCREMENTAL;
      default -> throw reader.corrupt("space allocation time actual=" + code + ", expected=0..3");
    };
  }

  private static Write write(MetadataReader reader, int code) {
    return switch (code) {
      case 0 -> Write.ON_ALLOCATION;
      case 1 -> Write.NEVER;
      case 2 -> Write.IF_SET;
      default -> throw reader.corrupt("fill value write time actual=" + code + ", expected=0..2");
    };
  }

  @Override
  public void encode(MetadataWriter writer) {
    writer.u8(version);
    if (version == 3) {
      int flags = allocation.code | (write.code << 2);
      switch (kind) {
        case UNDEFINED -> writer.u8(flags | FLAG_UNDEFINED);
        case DEFAULT -> writer.u8(flags);
        case VALUE -> {
          writer.u8(flags | FLAG_VALUE).u32(value.size());
          value.writeTo(writer);
        }
      }
      return;
    }
    writer.u8(allocation.code).u8(write.code).u8(kind == Kind.UNDEFINED ? 0 : 1);
    if (kind != Kind.UNDEFINED || version == 1) {
      writer.u32(value.size());
      value.writeTo(writer);
    }
  }
}
