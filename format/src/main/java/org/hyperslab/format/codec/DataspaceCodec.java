package org.hyperslab.format.codec;

import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.space.Dataspace;

/**
 * Encodes and decodes the dataspace message, versions 1 and 2.
 *
 * <pre>
 * version 1: version(1) rank(1) flags(1) reserved(5) dims(rank x L) [maximums(rank x L)]
 * version 2: version(1) rank(1) flags(1) kind(1)     dims(rank x L) [maximums(rank x L)]
 * </pre>
 *
 * L is the file's size of lengths; flag bit 0 is set if maximums follow; a maximum with all bits
 * set is unlimited. Kind: 0 scalar, 1 simple, 2 null. Version 1 cannot express a null dataspace.
 *
 * <p>Thread rule: stateless. Source: HDF5 File Format Specification, IV.A.2.b; H5Osdspace.c.
 */
public final class DataspaceCodec {

  private static final int FLAG_MAXIMUMS = 0x01;
  private static final int VERSION_1_RESERVED_BYTES = 5;

  private DataspaceCodec() {}

  /**
   * Decodes a dataspace message of either version.
   *
   * @param in reads the bytes, from its position
   * @return the dataspace
   * @throws org.hyperslab.error.CorruptFileException if the bytes are not a dataspace message
   */
  public static Dataspace decode(MetadataReader in) {
    int version = in.u8();
    if (version != 1 && version != 2) {
      throw in.corrupt("dataspace version actual=" + version + ", expected=1 or 2");
    }
    int rank = in.u8();
    if (rank > Dataspace.MAX_RANK) {
      throw in.corrupt("rank actual=" + rank + ", expected=0.." + Dataspace.MAX_RANK);
    }
    int flags = in.u8();
    Dataspace.Kind kind;
    if (version == 1) {
      kind = rank == 0 ? Dataspace.Kind.SCALAR : Dataspace.Kind.SIMPLE;
      in.skip(VERSION_1_RESERVED_BYTES);
    } else {
      kind = kind(in, rank);
    }
    long[] dims = new long[rank];
    for (int i = 0; i < rank; i++) {
      dims[i] = in.length();
      if (dims[i] < 0) {
        throw in.corrupt(
            "extent actual="
                + Long.toUnsignedString(dims[i])
                + ", expected=below 2^63, dimension "
                + i);
      }
    }
    long[] maxDims = (flags & FLAG_MAXIMUMS) == 0 ? dims : maximums(in, dims);
    if (kind == Dataspace.Kind.NULL) {
      return Dataspace.nullSpace();
    }
    try {
      return Dataspace.simple(dims, maxDims);
    } catch (InvalidUseException e) {
      throw in.corrupt(e.getMessage());
    }
  }

  private static Dataspace.Kind kind(MetadataReader in, int rank) {
    int code = in.u8();
    Dataspace.Kind kind =
        Arrays.stream(Dataspace.Kind.values())
            .filter(candidate -> code(candidate) == code)
            .findFirst()
            .orElseThrow(
                () -> in.corrupt("dataspace kind actual=" + code + ", expected=0, 1 or 2"));
    if (kind != Dataspace.Kind.SIMPLE && rank != 0) {
      throw in.corrupt("rank of a " + kind + " dataspace actual=" + rank + ", expected=0");
    }
    return kind;
  }

  private static long[] maximums(MetadataReader in, long[] dims) {
    long[] maxDims = new long[dims.length];
    for (int i = 0; i < dims.length; i++) {
      maxDims[i] = in.length();
      if (maxDims[i] != Dataspace.UNLIMITED && maxDims[i] < dims[i]) {
        throw in.corrupt(
            "maximum extent actual="
                + Long.toUnsignedString(maxDims[i])
                + ", expected=at least "
                + dims[i]
                + ", dimension "
                + i);
      }
    }
    return maxDims;
  }

  /**
   * Encodes a dataspace message. Maximums are always written for a simple dataspace, as in the HDF5
   * library.
   *
   * @param space the extent
   * @param out receives the bytes, at its position
   * @param version 1 or 2
   * @throws InvalidUseException if the version is not supported, or is 1 for a null dataspace
   */
  public static void encode(Dataspace space, MetadataWriter out, int version) {
    if (version < minimumVersion(space) || version > 2) {
      throw new InvalidUseException(
          "dataspace message version: actual="
              + version
              + ", expected="
              + minimumVersion(space)
              + "..2 for "
              + space);
    }
    boolean simple = space.kind() == Dataspace.Kind.SIMPLE;
    out.u8(version).u8(space.rank()).u8(simple ? FLAG_MAXIMUMS : 0);
    if (version == 1) {
      out.zeros(VERSION_1_RESERVED_BYTES);
    } else {
      out.u8(code(space.kind()));
    }
    Arrays.stream(space.dims()).forEach(out::length);
    Arrays.stream(space.maxDims()).forEach(out::length);
  }

  /**
   * {@return the lowest message version that can express this dataspace: 2 for null, otherwise 1}
   *
   * @param space the extent
   */
  public static int minimumVersion(Dataspace space) {
    return space.kind() == Dataspace.Kind.NULL ? 2 : 1;
  }

  /** Returns the code of a kind in a message of version 2. */
  private static int code(Dataspace.Kind kind) {
    return switch (kind) {
      case SCALAR -> 0;
      case SIMPLE -> 1;
      case NULL -> 2;
    };
  }
}
