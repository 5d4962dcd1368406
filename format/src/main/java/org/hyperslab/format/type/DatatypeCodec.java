package org.hyperslab.format.type;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.io.NameBytes;

/**
 * Encodes and decodes the datatype message, versions 1 to 5, of every class.
 *
 * <pre>
 *   0      1            4      8
 *   +------+------------+------+----------------------+
 *   |v | c | class bits | size | properties of class  |
 *   +------+------------+------+----------------------+
 *    v version (high nibble), c class (low nibble), bits 24, size 32
 * </pre>
 *
 * <p>Differences between the versions: in version 1, compound members have up to four dimensions of
 * their own. Version 2 has an array class instead. Version 3 packs names, offsets and arrays, and
 * permits VAX order. Version 4 adds revised references, version 5 complex numbers. A container has
 * at least the version of the types that it contains.
 *
 * <p>Source: HDF5 File Format Specification, section IV.A.2.d; H5Odtype.c. Thread rule: stateless.
 */
public final class DatatypeCodec {

  /** The oldest version, which every library reads. */
  public static final int VERSION_EARLIEST = 1;

  /** The version that HDF5 1.8 and 1.10 write under the "latest" bound. */
  public static final int VERSION_1_8 = 3;

  /** The version that HDF5 1.12 and 1.14 write under the "latest" bound. */
  public static final int VERSION_1_12 = 4;

  /** The version that HDF5 2.0 writes under the "latest" bound. */
  public static final int VERSION_LATEST = 5;

  /** The greatest nesting depth of types; deeper nesting is treated as corruption. */
  public static final int NESTING_LIMIT = 64;

  private DatatypeCodec() {}

  /**
   * {@return the version of the encoded type that begins at the reader's position, without moving
   * the reader}
   *
   * @param in reads the bytes, from its position
   */
  public static int peekVersion(MetadataReader in) {
    int at = in.position();
    int version = in.u8() >> 4;
    in.position(at);
    return version;
  }

  /**
   * Decodes the type at the reader's position, and advances the reader past it.
   *
   * @param in reads the bytes, from its position
   * @return the datatype
   * @throws org.hyperslab.error.CorruptFileException if the bytes are not a valid type
   * @throws UnsupportedFeatureException if a version or size is not supported
   */
  public static Datatype decode(MetadataReader in) {
    return new DatatypeDecoder(in).decode(0);
  }

  /**
   * Decodes the type of a message in a file. Variable-length values have the size that the file's
   * addresses give them, whatever size the message states, as in the C library ({@code
   * H5T__vlen_set_loc}).
   *
   * @param in reads the bytes, from its position
   * @return the type
   * @throws org.hyperslab.error.CorruptFileException if a wrong size has moved other members of a
   *     compound
   */
  public static Datatype decodeInFile(MetadataReader in) {
    Datatype stated = decode(in);
    Datatype actual = TypeForm.vlenInFile(in.geometry().sizeOfOffsets()).apply(stated);
    requireFit(in, stated, actual);
    return actual;
  }

  private static void requireFit(MetadataReader in, Datatype stated, Datatype actual) {
    Datatype left = stated;
    Datatype right = actual;
    while (left instanceof VlenType(_, Datatype one)
        && right instanceof VlenType(_, Datatype two)) {
      left = one;
      right = two;
    }
    if (left.size() != right.size() && !(left instanceof VlenStringType)) {
      throw in.corrupt(
          "size of "
              + left.describe()
              + " actual="
              + left.size()
              + ", expected="
              + right.size()
              + " with the file's size of variable-length values");
    }
  }

  /**
   * {@return the least version of datatype messages that can express a type}
   *
   * @param type the datatype
   */
  public static int requiredVersion(Datatype type) {
    return version(type, VERSION_EARLIEST);
  }

  /**
   * Returns the version that the C library uses for a type with a lower bound: containers use the
   * bound, variable-length types that of their base, and all others never change.
   */
  private static int version(Datatype type, int floor) {
    return switch (type) {
      case IntegerType _, TimeType _, StringType _, BitfieldType _, OpaqueType _ -> 1;
      case FloatType t -> t.order() == Endian.VAX ? 3 : 1;
      case ReferenceType t -> t.kind().revised() ? 4 : 1;
      case EnumType _ -> floor;
      case VlenStringType t -> version(t.base(), floor);
      case VlenType t -> version(t.base(), floor);
      case ArrayType t -> Math.max(Math.max(2, floor), version(t.base(), floor));
      case ComplexType _ -> 5;
      case CompoundType t -> {
        int version = floor;
        for (CompoundType.Member member : t.members()) {
          version = Math.max(version, version(member.type(), floor));
        }
        yield version;
      }
    };
  }

  /**
   * Encodes a type at the writer's position.
   *
   * @param type the type in the form of the file being written; sizes are written as they are
   * @param out receives the bytes, at its position
   * @param minimumVersion 1 to 5; compound, enum and array types are written in the least version
   *     from this one on that can express them, all others in the least version, as in the C
   *     library
   */
  public static void encode(Datatype type, MetadataWriter out, int minimumVersion) {
    if (minimumVersion < VERSION_EARLIEST || minimumVersion > VERSION_LATEST) {
      throw new InvalidUseException(
          "datatype message version: actual=" + minimumVersion + ", expected=1..5");
    }
    encodeAt(type, out, minimumVersion);
  }

  private static void encodeAt(Datatype type, MetadataWriter out, int floor) {
    int version = version(type, floor);
    switch (type) {
      case IntegerType t -> {
        int flags = order(t.order()) | padding(t.lowPadding(), t.highPadding());
        prefix(out, t, version, flags | (t.signed() ? 8 : 0));
        out.u16(t.offset()).u16(t.precision());
      }
      case FloatType t -> encodeFloat(t, out, version);
      case TimeType t -> {
        prefix(out, t, version, order(t.order()));
        out.u16(t.precision());
      }
      case StringType t -> prefix(out, t, version, t.padding().code() | t.charset().code() << 4);
      case BitfieldType t -> {
        prefix(out, t, version, order(t.order()) | padding(t.lowPadding(), t.highPadding()));
        out.u16(t.offset()).u16(t.precision());
      }
      case OpaqueType t -> {
        byte[] tag = NameBytes.encode(t.tag());
        int padded = (tag.length + 7) / 8 * 8;
        prefix(out, t, version, padded);
        out.bytes(tag).zeros(padded - tag.length);
      }
      case ReferenceType t -> {
        boolean revised = t.kind().revised();
        prefix(out, t, version, t.kind().code() | (revised ? 1 << 4 : 0));
      }
      case CompoundType t -> encodeCompound(t, out, floor);
      case EnumType t -> encodeEnum(t, out, floor);
      case VlenStringType t -> {
        prefix(out, t, version, 1 | t.padding().code() << 4 | t.charset().code() << 8);
        encodeAt(t.base(), out, floor);
      }
      case VlenType t -> {
        prefix(out, t, version, 0);
        encodeAt(t.base(), out, floor);
      }
      case ArrayType t -> encodeArray(t, out, floor);
      case ComplexType t -> {
        prefix(out, t, version, 1);
        encodeAt(t.base(), out, floor);
      }
    }
  }

  private static void encodeFloat(FloatType t, MetadataWriter out, int version) {
    FloatType.Fields f = t.fields();
    int flags =
        (t.order() == Endian.VAX ? 0x41 : order(t.order()))
            | padding(t.padding().low(), t.padding().high())
            | (t.padding().internal() == BitPadding.ONE ? 8 : 0)
            | f.normalization().code() << 4
            | f.signPosition() << 8;
    prefix(out, t, version, flags);
    out.u16(t.offset()).u16(t.precision());
    out.u8(f.exponentPosition()).u8(f.exponentSize());
    out.u8(f.mantissaPosition()).u8(f.mantissaSize());
    out.u32(f.exponentBias());
  }

  private static void encodeCompound(CompoundType t, MetadataWriter out, int floor) {
    int version = version(t, floor);
    prefix(out, t, version, t.members().size());
    for (CompoundType.Member member : t.members()) {
      name(out, member.name(), version);
      if (version >= 3) {
        out.unsigned(member.offset(), offsetBytes(t.size()));
      } else {
        out.u32(member.offset());
      }
      if (version == 1) {
        out.zeros(
            28); // dimensionality, permutation and dimensions, used before there were array types
      }
      encodeAt(member.type(), out, floor);
    }
  }

  private static void encodeEnum(EnumType t, MetadataWriter out, int floor) {
    int version = version(t, floor);
    prefix(out, t, version, t.constants().size());
    encodeAt(t.base(), out, floor);
    for (EnumType.Constant constant : t.constants()) {
      name(out, constant.name(), version);
    }
    byte[] value = new byte[t.size()];
    for (EnumType.Constant constant : t.constants()) {
      IntegerBits.write(t.base(), constant.value(), value, 0);
      out.bytes(value);
    }
  }

  private static void encodeArray(ArrayType t, MetadataWriter out, int floor) {
    int version = version(t, floor);
    prefix(out, t, version, 0);
    out.u8(t.dimensions().size());
    if (version < 3) {
      out.zeros(3);
    }
    for (int length : t.dimensions()) {
      out.u32(length);
    }
    if (version < 3) {
      for (int i = 0; i < t.dimensions().size(); i++) {
        out.u32(i); // the permutation, which was never implemented
      }
    }
    encodeAt(t.base(), out, floor);
  }

  private static void prefix(MetadataWriter out, Datatype type, int version, int flags) {
    out.u8(type.classNumber() | version << 4);
    out.u8(flags).u8(flags >> 8).u8(flags >> 16);
    out.u32(type.size());
  }

  private static void name(MetadataWriter out, String name, int version) {
    int from = out.position();
    out.nulTerminatedText(name);
    if (version < 3) {
      int length = out.position() - from;
      out.zeros((length + 7) / 8 * 8 - length);
    }
  }

  private static int order(Endian order) {
    return order == Endian.BIG ? 1 : 0;
  }

  private static int padding(BitPadding low, BitPadding high) {
    return (low == BitPadding.ONE ? 2 : 0) | (high == BitPadding.ONE ? 4 : 0);
  }

  /**
   * Returns the width in bytes of a member offset from version 3 on: enough for the size of the
   * compound.
   */
  static int offsetBytes(int compoundSize) {
    return (31 - Integer.numberOfLeadingZeros(compoundSize)) / 8 + 1;
  }

  /**
   * Returns an empty list with room for {@code count} parts, but never for more parts than the
   * remaining bytes can hold.
   */
  static <T> List<T> listFor(int count, int remainingBytes) {
    return new ArrayList<>(Math.min(count, remainingBytes));
  }
}
