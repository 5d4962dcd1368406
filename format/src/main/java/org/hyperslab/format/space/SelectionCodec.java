package org.hyperslab.format.space;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * Encodes and decodes selections, as stored in region references, virtual dataset mappings and
 * encoded dataspaces. All numbers are little-endian; W is the encoded size, 2, 4 or 8.
 *
 * <pre>
 * none, all     type(4)=0|3  version(4)=1 reserved(4) length(4)=0
 * points 1      type(4)=1    version(4)=1 reserved(4) length(4) rank(4) number(4) {index(4)}
 * points 2      type(4)=1    version(4)=2 W(1) rank(4) number(W) {index(W)}
 * hyperslab 1   type(4)=2    version(4)=1 reserved(4) length(4) rank(4) number(4) {low(4)} {high(4)} ..
 * hyperslab 2   type(4)=2    version(4)=2 flags(1)=1 length(4) rank(4) {start stride count block}(8)
 * hyperslab 3   type(4)=2    version(4)=3 flags(1) W(1) rank(4)
 *               regular, flag bit 0:  {start stride count block}(W)
 *               irregular:            number(W) {low(W)} {high(W)} ..
 * </pre>
 *
 * An unlimited count or block has all bits set. Lengths count the bytes that follow them.
 *
 * <p>Thread rule: stateless. Source: HDF5 File Format Specification, VII.E "Dataspace Selection";
 * H5Shyper.c, H5Spoint.c, H5Sall.c, H5Snone.c.
 */
public final class SelectionCodec {

  private static final int TYPE_NONE = 0;
  private static final int TYPE_POINTS = 1;
  private static final int TYPE_HYPERSLAB = 2;
  private static final int TYPE_ALL = 3;
  private static final int FLAG_REGULAR = 0x01;
  private static final long LARGEST_32 = 0xFFFF_FFFFL;

  /**
   * The greatest number of blocks of a regular hyperslab that are listed block by block in version
   * 1.
   */
  private static final long MAX_LISTED_BLOCKS = 1 << 16;

  private SelectionCodec() {}

  /**
   * Decodes a selection of any type and version, and advances past it.
   *
   * @param in reads the bytes, from its position
   * @param rank the rank of the dataspace that the selection belongs to, or {@link
   *     Selection#ANY_RANK} to take the encoded rank
   * @return the selection
   * @throws org.hyperslab.error.CorruptFileException if the bytes are not a selection of that rank
   * @throws UnsupportedFeatureException if overlapping blocks would split into too many parts
   */
  public static Selection decode(MetadataReader in, int rank) {
    long type = in.u32();
    long version = in.u32();
    if (type == TYPE_NONE || type == TYPE_ALL) {
      requireVersion(in, version, 1);
      in.skip(8);
      return type == TYPE_ALL ? Selection.all() : Selection.none();
    }
    if (type == TYPE_POINTS) {
      requireVersion(in, version, 2);
      return decodePoints(in, rank, version);
    }
    if (type == TYPE_HYPERSLAB) {
      requireVersion(in, version, 3);
      return decodeHyperslab(in, rank, version);
    }
    throw in.corrupt("selection type actual=" + type + ", expected=0..3");
  }

  private static void requireVersion(MetadataReader in, long version, int latest) {
    if (version < 1 || version > latest) {
      throw in.corrupt("selection version actual=" + version + ", expected=1.." + latest);
    }
  }

  /** Returns the encoded rank, which must be the expected one unless any rank is permitted. */
  private static int rank(MetadataReader in, int expected) {
    long actual = in.u32();
    if (actual < 1 || actual > Dataspace.MAX_RANK) {
      throw in.corrupt(
          "rank of the selection actual=" + actual + ", expected=1.." + Dataspace.MAX_RANK);
    }
    if (expected != Selection.ANY_RANK && actual != expected) {
      throw in.corrupt("rank of the selection actual=" + actual + ", expected=" + expected);
    }
    return (int) actual;
  }

  private static int encodedSize(MetadataReader in) {
    int size = in.u8();
    if (size != 2 && size != 4 && size != 8) {
      throw in.corrupt("encoded size actual=" + size + ", expected=2, 4 or 8");
    }
    return size;
  }

  /** Returns a number of items, which must not exceed the remaining bytes. */
  private static int number(MetadataReader in, int size, long bytesPerItem) {
    long number = in.unsigned(size);
    if (number < 0 || number > in.remaining() / bytesPerItem) {
      throw in.corrupt(
          "number of points or blocks actual="
              + Long.toUnsignedString(number)
              + ", expected=at most "
              + in.remaining() / bytesPerItem
              + " as "
              + in.remaining()
              + " bytes remain");
    }
    return (int) number;
  }

  private static long index(MetadataReader in, int size) {
    long index = in.unsigned(size);
    if (index < 0 || index == Long.MAX_VALUE) {
      throw in.corrupt(
          "selected index actual=" + Long.toUnsignedString(index) + ", expected=at most 2^63-2");
    }
    return index;
  }

  private static Selection decodePoints(MetadataReader in, int expectedRank, long version) {
    int size = 4;
    if (version == 1) {
      in.skip(8);
    } else {
      size = encodedSize(in);
    }
    int rank = rank(in, expectedRank);
    int points = number(in, size, (long) rank * size);
    long[] coordinates = new long[points * rank];
    for (int i = 0; i < coordinates.length; i++) {
      coordinates[i] = index(in, size);
    }
    return Selection.points(rank, coordinates);
  }

  private static Selection decodeHyperslab(MetadataReader in, int expectedRank, long version) {
    int size = version == 2 ? 8 : 4;
    boolean regular = false;
    if (version == 1) {
      in.skip(8);
    } else {
      int flags = in.u8();
      if ((flags & ~FLAG_REGULAR) != 0) {
        throw in.corrupt("hyperslab flags actual=" + flags + ", expected=0 or 1");
      }
      regular = flags == FLAG_REGULAR;
      if (version == 2) {
        if (!regular) {
          throw in.corrupt("flags of hyperslab version 2 actual=0, expected=1, regular");
        }
        in.skip(4);
      } else {
        size = encodedSize(in);
      }
    }
    int rank = rank(in, expectedRank);
    return regular ? decodeRegular(in, rank, size) : decodeBlocks(in, rank, size);
  }

  private static Selection decodeRegular(MetadataReader in, int rank, int size) {
    long[][] fields = new long[4][rank];
    for (int d = 0; d < rank; d++) {
      for (int field = 0; field < 4; field++) {
        fields[field][d] = unlimitedOr(in.unsigned(size), size, field >= 2);
      }
    }
    try {
      return Selection.hyperslab(fields[0], fields[1], fields[2], fields[3]);
    } catch (InvalidUseException e) {
      throw in.corrupt(e.getMessage());
    }
  }

  private static long unlimitedOr(long value, int size, boolean mayBeUnlimited) {
    boolean ones = value == -1 || (size < 8 && value == (1L << (8 * size)) - 1);
    return ones && mayBeUnlimited ? Selection.UNLIMITED : value == -1 ? Long.MIN_VALUE : value;
  }

  private static Selection decodeBlocks(MetadataReader in, int rank, int size) {
    int blocks = number(in, size, 2L * rank * size);
    List<Selection> boxes = new ArrayList<>(Math.min(blocks, 1 << 16));
    for (int i = 0; i < blocks; i++) {
      long[] low = new long[rank];
      long[] count = new long[rank];
      for (int d = 0; d < rank; d++) {
        low[d] = index(in, size);
      }
      for (int d = 0; d < rank; d++) {
        long high = index(in, size);
        if (high < low[d]) {
          throw in.corrupt(
              "block end actual="
                  + high
                  + ", expected=at least its start "
                  + low[d]
                  + ", dimension "
                  + d);
        }
        count[d] = high - low[d] + 1;
      }
      boxes.add(Selection.box(low, count));
    }
    try {
      return SetOperations.union(rank, boxes, SpanBudget.forDecoding(blocks, rank));
    } catch (InvalidUseException e) {
      throw new UnsupportedFeatureException(
          "selection of "
              + blocks
              + " blocks in "
              + rank
              + " dimensions: "
              + e.getMessage()
              + ", at="
              + in.geometry().file()
              + "@"
              + in.fileOffset(),
          e);
    }
  }

  /**
   * Encodes a selection in the oldest version that can express it. Points use version 1 unless an
   * index needs more than 32 bits, and hyperslabs likewise, except that unlimited ones and regular
   * ones of more than 65,536 blocks use version 2, and irregular ones beyond 32 bits version 3,
   * which HDF5 reads from 1.12 on.
   *
   * @param selection the selected elements
   * @param rank the rank of the dataspace that the selection belongs to
   * @param out receives the bytes, at its position
   * @throws InvalidUseException if the ranks differ or the blocks exceed 2^31-1 bytes
   */
  public static void encode(Selection selection, int rank, MetadataWriter out) {
    selection.requireRank(rank);
    switch (selection) {
      case AllSelection all -> encodeBare(TYPE_ALL, out);
      case NoneSelection none -> encodeBare(TYPE_NONE, out);
      case PointSelection points -> encodePoints(points, out);
      case RegularHyperslab regular -> encodeRegular(regular, out);
      case SpanTree tree -> encodeTree(tree, out);
    }
  }

  private static void encodeBare(int type, MetadataWriter out) {
    out.u32(type).u32(1).zeros(8);
  }

  private static void encodePoints(PointSelection points, MetadataWriter out) {
    int rank = points.rank();
    long largest = 0;
    for (int d = 0; d < rank; d++) {
      largest = Math.max(largest, points.end(d) - 1);
    }
    int size = largest <= LARGEST_32 ? 4 : 8;
    long bytes = 8 + (long) size * rank * points.size();
    requireEncodable(bytes);
    out.u32(TYPE_POINTS);
    if (size == 4) {
      out.u32(1).u32(0).u32(bytes).u32(rank).u32(points.size());
    } else {
      out.u32(2).u8(size).u32(rank).unsigned(points.size(), size);
    }
    for (int i = 0; i < points.size(); i++) {
      for (int d = 0; d < rank; d++) {
        out.unsigned(points.coordinate(i, d), size);
      }
    }
  }

  private static void encodeTree(SpanTree tree, MetadataWriter out) {
    SpanNode root = tree.tree();
    if (root.isRegular() && root.rank > 0) {
      encodeRegular(SetOperations.regular(tree.rank(), root), out);
    } else {
      encodeBlocks(root, tree.rank(), out);
    }
  }

  private static void encodeRegular(RegularHyperslab regular, MetadataWriter out) {
    int rank = regular.rank();
    if (rank == 0) {
      encodeBare(TYPE_ALL, out);
      return;
    }
    if (!regular.isUnlimited()) {
      SpanNode root = regular.tree(null);
      if (largestIndex(root) <= LARGEST_32 && new SpanBlocks().count(root) <= MAX_LISTED_BLOCKS) {
        encodeBlocks(root, rank, out);
        return;
      }
    }
    out.u32(TYPE_HYPERSLAB).u32(2).u8(FLAG_REGULAR).u32(4 + 32L * rank).u32(rank);
    for (int d = 0; d < rank; d++) {
      out.i64(regular.start(d)).i64(regular.stride(d));
      out.i64(regular.count(d)).i64(regular.block(d));
    }
  }

  private static void encodeBlocks(SpanNode root, int rank, MetadataWriter out) {
    SpanBlocks blocks = new SpanBlocks();
    long number = blocks.count(root);
    int size = largestIndex(root) <= LARGEST_32 ? 4 : 8;
    long bytes = Extents.multiplyOrOverflow(number, 2L * rank * size);
    requireEncodable(bytes);
    out.u32(TYPE_HYPERSLAB);
    if (size == 4) {
      out.u32(1).u32(0).u32(8 + bytes).u32(rank).u32(number);
    } else {
      out.u32(3).u8(0).u8(size).u32(rank).unsigned(number, size);
    }
    blocks.forEach(
        root,
        (low, high) -> {
          for (int d = 0; d < rank; d++) {
            out.unsigned(low[d], size);
          }
          for (int d = 0; d < rank; d++) {
            out.unsigned(high[d], size);
          }
        });
  }

  private static long largestIndex(SpanNode root) {
    long largest = 0;
    for (int i = 1; i < root.bounds.length; i += 2) {
      largest = Math.max(largest, root.bounds[i] - 1);
    }
    return largest;
  }

  private static void requireEncodable(long bytes) {
    if (bytes < 0 || bytes > Integer.MAX_VALUE - 4096) {
      throw new InvalidUseException(
          "encoded selection: actual="
              + (bytes < 0 ? "over 2^63" : bytes)
              + " bytes, expected=below 2^31; select fewer blocks");
    }
  }
}
