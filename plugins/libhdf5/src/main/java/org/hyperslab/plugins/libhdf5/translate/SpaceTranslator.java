package org.hyperslab.plugins.libhdf5.translate;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.codec.DataspaceCodec;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.space.SelectionCodec;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.RawMemory;

/**
 * Translates dataspaces and selections between libhdf5's identifiers and the model, through the
 * bytes of {@code H5Sencode}:
 *
 * <pre>
 *   0      1         2        3             7
 *   +------+---------+--------+-------------+---------------+-----------+
 *   | 1    | version | size L | bytes (u32) | dataspace msg | selection |
 *   +------+---------+--------+-------------+---------------+-----------+
 * </pre>
 */
public final class SpaceTranslator {

  private static final int DATASPACE_MESSAGE = 1;
  private static final int BYTES_OF_LENGTHS = 8;

  /** Values of {@code H5S_class_t}. A simple one without an extent is encoded like a scalar. */
  private static final int SCALAR = 0;

  private static final int SIMPLE = 1;
  private static final int NULL = 2;

  /** Values of {@code H5S_sel_type}. */
  private static final int NONE_SELECTED = 0;

  private static final int POINTS = 1;
  private static final int HYPERSLABS = 2;
  private static final int ALL_SELECTED = 3;

  /** {@code H5F_LIBVER_V112}, the first version that encodes regular selections compactly. */
  private static final int BOUND = 3;

  private final Hdf5Calls hdf5;

  /** Room for the dimensions and maximum dimensions of an extent. */
  private final ThreadLocal<long[]> extents =
      ThreadLocal.withInitial(() -> new long[2 * Dataspace.MAX_RANK]);

  /** The last extent that was read. */
  private volatile Dataspace last = Dataspace.scalar();

  /** An access list with which selections are encoded compactly; 0 until it is created. */
  private long encoding;

  public SpaceTranslator(Hdf5Calls hdf5) {
    this.hdf5 = hdf5;
  }

  /**
   * An extent and a selection of it.
   *
   * @param space the extent
   * @param selection the elements
   */
  public record Selected(Dataspace space, Selection selection) {

    /** Selects all elements of an extent. */
    public static Selected all(Dataspace space) {
      return new Selected(
          space, space.kind() == Dataspace.Kind.NULL ? Selection.none() : Selection.all());
    }

    /** Returns the number of selected elements. */
    public long count() {
      if (space.kind() == Dataspace.Kind.NULL) {
        return 0;
      }
      boolean all = selection == Selection.all();
      return all ? space.elementCount() : selection.elementCount(space.dims());
    }
  }

  /** Returns the extent of a dataspace. */
  public Dataspace extent(long spaceId) {
    long[] sizes = extents.get();
    int rank = hdf5.fill(Hdf5Function.S_GET_DIMS, spaceId, sizes);
    return rank > 0 ? simple(sizes, rank) : withoutDims(spaceId);
  }

  /**
   * Returns an extent with dimensions: the same object again for the same ones in a row.
   *
   * @param sizes the dimensions, and the maximum ones from {@link Dataspace#MAX_RANK} on
   */
  private Dataspace simple(long[] sizes, int rank) {
    Dataspace recent = last;
    if (!hasSizes(recent, sizes, rank)) {
      int max = Dataspace.MAX_RANK;
      recent =
          Dataspace.simple(Arrays.copyOf(sizes, rank), Arrays.copyOfRange(sizes, max, max + rank));
      last = recent;
    }
    return recent;
  }

  private static boolean hasSizes(Dataspace space, long[] sizes, int rank) {
    boolean same = space.rank() == rank;
    for (int i = 0; same && i < rank; i++) {
      same = space.dim(i) == sizes[i] && space.maxDim(i) == sizes[Dataspace.MAX_RANK + i];
    }
    return same;
  }

  private Dataspace withoutDims(long spaceId) {
    return switch (hdf5.checked(Hdf5Function.S_GET_KIND, spaceId)) {
      case SCALAR -> Dataspace.scalar();
      case NULL -> Dataspace.nullSpace();
      default -> throw noExtent();
    };
  }

  private static long[] longs(long address, int count) {
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = RawMemory.getLong(address + 8L * i);
    }
    return values;
  }

  private static InvalidUseException noExtent() {
    return new InvalidUseException(
        "dataspace: actual=created by H5Screate(H5S_SIMPLE) without an extent, expected=an extent"
            + " set by H5Sset_extent_simple");
  }

  /**
   * Returns a dataspace and what is selected in it. The usual selections are asked for; lists of
   * points and irregular ones are decoded.
   */
  public Selected read(long spaceId) {
    int kind = hdf5.checked(Hdf5Function.S_GET_SELECTION_KIND, spaceId);
    if (kind == ALL_SELECTED || kind == NONE_SELECTED) {
      Dataspace space = extent(spaceId);
      boolean all = kind == ALL_SELECTED && space.kind() != Dataspace.Kind.NULL;
      return new Selected(space, all ? Selection.all() : Selection.none());
    }
    if (kind == HYPERSLABS && hdf5.status(Hdf5Function.S_IS_REGULAR, spaceId) > 0) {
      Dataspace space = extent(spaceId);
      Selection blocks = space.rank() == 0 ? null : regular(spaceId, space.rank());
      if (blocks != null) {
        return new Selected(space, blocks);
      }
    }
    return decoded(spaceId);
  }

  /**
   * Returns the blocks at equal distances that are selected; null if their number is unlimited. The
   * first one is where the bounds begin, which the offset of H5Soffset_simple moves.
   */
  private Selection regular(long spaceId, int rank) {
    long out = hdf5.scratch().address();
    long step = 8L * Dataspace.MAX_RANK;
    hdf5.checked(
        Hdf5Function.S_GET_REGULAR, spaceId, 0, out + step, out + 2 * step, out + 3 * step);
    long[] stride = longs(out + step, rank);
    long[] count = longs(out + 2 * step, rank);
    long[] block = longs(out + 3 * step, rank);
    for (int i = 0; i < rank; i++) {
      if (count[i] <= 0 || block[i] <= 0) {
        return null;
      }
    }
    return Selection.hyperslab(lowest(spaceId, rank), stride, count, block);
  }

  private Selected decoded(long spaceId) {
    byte[] encoded = encoded(spaceId);
    MetadataReader in = new MetadataReader(TypeTranslator.GEOMETRY, "dataspace", encoded, 0);
    in.skip(3);
    int extentBytes = in.i32();
    int at = in.position();
    Dataspace space = DataspaceCodec.decode(in.slice(extentBytes, "extent"));
    if (space.kind() == Dataspace.Kind.SCALAR
        && hdf5.status(Hdf5Function.S_GET_KIND, spaceId) == SIMPLE) {
      throw noExtent();
    }
    in.position(at + extentBytes);
    Selection selection =
        space.kind() == Dataspace.Kind.NULL
            ? Selection.none()
            : SelectionCodec.decode(
                in, space.kind() == Dataspace.Kind.SCALAR ? Selection.ANY_RANK : space.rank());
    return new Selected(space, EdgePoints.within(space, moved(spaceId, space, selection)));
  }

  /**
   * Returns the selection moved by the offset of {@code H5Soffset_simple}. The encoding does not
   * contain the offset; libhdf5 reveals it only in the bounds of the selection.
   */
  private Selection moved(long spaceId, Dataspace space, Selection selection) {
    int kind = hdf5.status(Hdf5Function.S_GET_SELECTION_KIND, spaceId);
    if (space.kind() != Dataspace.Kind.SIMPLE || (kind != POINTS && kind != HYPERSLABS)) {
      return selection;
    }
    long plain = hdf5.id(Hdf5Function.S_COPY, spaceId);
    try {
      long[] from = lowest(spaceId, space.rank());
      long zeros = hdf5.scratch().asSlice(0, 8L * Dataspace.MAX_RANK).fill((byte) 0).address();
      hdf5.checked(Hdf5Function.S_OFFSET, plain, zeros);
      long[] to = lowest(plain, space.rank());
      boolean any = false;
      for (int i = 0; i < from.length; i++) {
        from[i] -= to[i];
        any |= from[i] != 0;
      }
      return any ? selection.offset(from) : selection;
    } finally {
      hdf5.call(Hdf5Function.S_CLOSE, plain);
    }
  }

  /** Returns the lowest selected coordinates, including the offset. */
  private long[] lowest(long spaceId, int rank) {
    long out = hdf5.scratch().address();
    hdf5.checked(Hdf5Function.S_BOUNDS, spaceId, out, out + 8L * Dataspace.MAX_RANK);
    return longs(out, rank);
  }

  /** Returns the encoding. Its length must be queried first, by a call without a buffer. */
  private byte[] encoded(long spaceId) {
    MemorySegment scratch = hdf5.scratch();
    long sizeAt = scratch.address();
    RawMemory.setLong(sizeAt, 0);
    hdf5.checked(Hdf5Function.S_ENCODE, spaceId, 0, sizeAt, encoding());
    long size = RawMemory.getLong(sizeAt);
    if (size <= scratch.byteSize() - 8) {
      hdf5.checked(Hdf5Function.S_ENCODE, spaceId, sizeAt + 8, sizeAt, encoding());
      return RawMemory.bytes(sizeAt + 8, size);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment large = arena.allocate(size);
      hdf5.checked(Hdf5Function.S_ENCODE, spaceId, large.address(), sizeAt, encoding());
      return large.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private synchronized long encoding() {
    if (encoding == 0) {
      long list = hdf5.id(Hdf5Function.P_CREATE, hdf5.identifier("H5P_CLS_FILE_ACCESS_ID_g"));
      hdf5.checked(Hdf5Function.P_SET_LIBVER_BOUNDS, list, BOUND, BOUND);
      encoding = list;
    }
    return encoding;
  }

  /**
   * Creates a dataspace with everything selected and returns its identifier, which the caller owns.
   */
  public long create(Dataspace space) {
    if (space.kind() != Dataspace.Kind.SIMPLE) {
      return hdf5.id(Hdf5Function.S_CREATE, space.kind() == Dataspace.Kind.SCALAR ? 0 : 2);
    }
    MemorySegment scratch = hdf5.scratch();
    long dims = scratch.address();
    long maxDims = dims + 8L * Dataspace.MAX_RANK;
    for (int i = 0; i < space.rank(); i++) {
      RawMemory.setLong(dims + 8L * i, space.dim(i));
      RawMemory.setLong(maxDims + 8L * i, space.maxDim(i));
    }
    return hdf5.id(Hdf5Function.S_CREATE_SIMPLE, space.rank(), dims, maxDims);
  }

  /** Creates a dataspace with a selection and returns its identifier, which the caller owns. */
  public long create(Dataspace space, Selection selection) {
    MetadataWriter out = new MetadataWriter(TypeTranslator.GEOMETRY, 128);
    DataspaceCodec.encode(space, out, DataspaceCodec.minimumVersion(space));
    byte[] extent = out.toByteArray();
    out.reset();
    out.u8(DATASPACE_MESSAGE).u8(0).u8(BYTES_OF_LENGTHS).u32(extent.length).bytes(extent);
    SelectionCodec.encode(selection, space.rank(), out);
    return decode(out.toByteArray());
  }

  /**
   * Creates a dataspace with the selection of a region reference and returns its identifier, which
   * the caller owns.
   */
  public long create(Dataspace space, byte[] selection) {
    MetadataReader in = new MetadataReader(TypeTranslator.GEOMETRY, "region", selection, 0);
    return create(space, SelectionCodec.decode(in, space.rank()));
  }

  private long decode(byte[] bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      return hdf5.id(Hdf5Function.S_DECODE, copy.address());
    }
  }
}
