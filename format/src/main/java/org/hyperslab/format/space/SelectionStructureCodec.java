package org.hyperslab.format.space;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * Encodes and decodes selections by their structure, for messages between processes. A regular
 * hyperslab is encoded as its numbers, and a span tree as its nodes, each node once, so that the
 * size depends on the number of runs and not on that of blocks. Files contain selections in the
 * encoding of {@link SelectionCodec}.
 *
 * <pre>
 * none, all   kind(1)=0|1
 * points      kind(1)=2 rank(1) number(v) {index(v)}
 * regular     kind(1)=3 rank(1) {start(v) stride(v) count(v) block(v)}      count, block + 1: 0 is unlimited
 * tree        kind(1)=4 rank(1), for each dimension from the fastest: nodes(v)
 *             {entries(v) {gap(v) block(v) count(v) [stride - block(v)] [node below(v)]}}
 * </pre>
 *
 * v is an unsigned number with 7 bits in each byte, the lowest first; the eighth bit is set if more
 * bytes follow. A gap is counted from the end of the previous entry. The last node of the slowest
 * dimension is the root. A node below is given by its 0-based index in the dimension below; the
 * fastest dimension has none.
 *
 * <p>Thread rule: stateless.
 */
public final class SelectionStructureCodec {

  private static final int NONE = 0;
  private static final int ALL = 1;
  private static final int POINTS = 2;
  private static final int REGULAR = 3;
  private static final int TREE = 4;

  private SelectionStructureCodec() {}

  /**
   * Encodes any selection.
   *
   * @param selection the selected elements
   * @param out receives the bytes, at its position
   */
  public static void encode(Selection selection, MetadataWriter out) {
    switch (selection) {
      case NoneSelection none -> out.u8(NONE);
      case AllSelection all -> out.u8(ALL);
      case PointSelection points -> encodePoints(points, out);
      case RegularHyperslab regular -> encodeRegular(regular, out);
      case SpanTree tree -> encodeTree(tree, out);
    }
  }

  private static void encodePoints(PointSelection points, MetadataWriter out) {
    out.u8(POINTS).u8(points.rank());
    number(points.size(), out);
    for (int i = 0; i < points.size(); i++) {
      for (int d = 0; d < points.rank(); d++) {
        number(points.coordinate(i, d), out);
      }
    }
  }

  private static void encodeRegular(RegularHyperslab regular, MetadataWriter out) {
    out.u8(REGULAR).u8(regular.rank());
    for (int d = 0; d < regular.rank(); d++) {
      number(regular.start(d), out);
      number(regular.stride(d), out);
      number(regular.count(d) + 1, out);
      number(regular.block(d) + 1, out);
    }
  }

  private static void encodeTree(SpanTree tree, MetadataWriter out) {
    SpanNode root = tree.tree();
    if (root.rank == 0 || root == SpanNode.EMPTY) {
      out.u8(root == SpanNode.EMPTY ? NONE : ALL);
      return;
    }
    out.u8(TREE).u8(root.rank);
    List<Map<SpanNode, Integer>> levels = new ArrayList<>();
    for (int i = 0; i < root.rank; i++) {
      levels.add(new IdentityHashMap<>());
    }
    List<List<SpanNode>> ordered = new ArrayList<>();
    levels.forEach(level -> ordered.add(new ArrayList<>()));
    collect(root, levels, ordered);
    for (int level = 0; level < root.rank; level++) {
      number(ordered.get(level).size(), out);
      for (SpanNode node : ordered.get(level)) {
        encodeNode(node, level == 0 ? null : levels.get(level - 1), out);
      }
    }
  }

  private static void collect(
      SpanNode node, List<Map<SpanNode, Integer>> levels, List<List<SpanNode>> ordered) {
    int level = node.rank - 1;
    if (levels.get(level).containsKey(node)) {
      return;
    }
    for (int i = 0; level > 0 && i < node.size(); i++) {
      collect(node.down(i), levels, ordered);
    }
    levels.get(level).put(node, ordered.get(level).size());
    ordered.get(level).add(node);
  }

  private static void encodeNode(SpanNode node, Map<SpanNode, Integer> below, MetadataWriter out) {
    number(node.size(), out);
    long end = 0;
    for (int i = 0; i < node.size(); i++) {
      number(node.start(i) - end, out);
      number(node.block(i), out);
      number(node.repeats(i), out);
      if (node.repeats(i) > 1) {
        number(node.stride(i) - node.block(i), out);
      }
      if (below != null) {
        number(below.get(node.down(i)), out);
      }
      end = node.end(i);
    }
  }

  /**
   * Decodes a selection, and advances past it.
   *
   * @param in reads the bytes, from its position
   * @return the selection
   * @throws org.hyperslab.error.CorruptFileException if the bytes are not a selection
   */
  public static Selection decode(MetadataReader in) {
    int kind = in.u8();
    if (kind == NONE || kind == ALL) {
      return kind == ALL ? Selection.all() : Selection.none();
    }
    int rank = in.u8();
    if (rank > Dataspace.MAX_RANK || (rank == 0 && kind != REGULAR)) {
      throw in.corrupt("rank of the selection actual=" + rank + ", expected=1..32");
    }
    try {
      return switch (kind) {
        case POINTS -> decodePoints(rank, in);
        case REGULAR -> decodeRegular(rank, in);
        case TREE -> decodeTree(rank, in);
        default -> throw in.corrupt("selection kind actual=" + kind + ", expected=0..4");
      };
    } catch (InvalidUseException | ArithmeticException e) {
      throw in.corrupt(e.getMessage());
    }
  }

  private static Selection decodePoints(int rank, MetadataReader in) {
    int points = items("points", rank, in);
    long[] coordinates = new long[Math.multiplyExact(points, rank)];
    for (int i = 0; i < coordinates.length; i++) {
      coordinates[i] = index(in);
    }
    return Selection.points(rank, coordinates);
  }

  private static Selection decodeRegular(int rank, MetadataReader in) {
    long[][] fields = new long[4][rank];
    for (int d = 0; d < rank; d++) {
      fields[0][d] = number(in);
      fields[1][d] = number(in);
      fields[2][d] = number(in) - 1;
      fields[3][d] = number(in) - 1;
    }
    return Selection.hyperslab(fields[0], fields[1], fields[2], fields[3]);
  }

  private static Selection decodeTree(int rank, MetadataReader in) {
    SpanNode[] below = {SpanNode.UNIT};
    for (int level = 1; level <= rank; level++) {
      SpanNode[] nodes = new SpanNode[items("nodes", 4, in)];
      if (nodes.length == 0) {
        throw in.corrupt("nodes of a dimension actual=0, expected=at least 1");
      }
      SpanBuilder builder = new SpanBuilder(level);
      for (int i = 0; i < nodes.length; i++) {
        nodes[i] = decodeNode(level, below, builder, in);
      }
      below = nodes;
    }
    return SetOperations.wrap(rank, below[below.length - 1]);
  }

  private static SpanNode decodeNode(
      int level, SpanNode[] below, SpanBuilder builder, MetadataReader in) {
    int entries = items("entries", 3, in);
    long end = 0;
    for (int i = 0; i < entries; i++) {
      long start = Math.addExact(end, number(in));
      long block = number(in);
      long count = number(in);
      long stride = count > 1 ? Math.addExact(block, number(in)) : block;
      long down = level == 1 ? 0 : number(in);
      if (block < 1 || count < 1 || down >= below.length) {
        throw in.corrupt(
            "entry actual=block "
                + block
                + ", count "
                + count
                + ", node below "
                + down
                + ", expected=at least 1, at least 1, below "
                + below.length);
      }
      end = Math.addExact(Math.addExact(start, Math.multiplyExact(count - 1, stride)), block);
      builder.run(start, stride, count, block, below[(int) down]);
    }
    SpanNode node = builder.build();
    if (node == SpanNode.EMPTY) {
      throw in.corrupt("entries of a node actual=0, expected=at least 1");
    }
    return node;
  }

  private static int items(String what, int leastBytes, MetadataReader in) {
    long number = number(in);
    if (number > in.remaining() / leastBytes) {
      throw in.corrupt(
          what + " actual=" + number + ", expected=what " + in.remaining() + " bytes can hold");
    }
    return (int) number;
  }

  private static long index(MetadataReader in) {
    long index = number(in);
    if (index == Long.MAX_VALUE) {
      throw in.corrupt("selected index actual=2^63-1, expected=at most 2^63-2");
    }
    return index;
  }

  private static void number(long value, MetadataWriter out) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.u8((int) (rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.u8((int) rest);
  }

  private static long number(MetadataReader in) {
    long value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      int next = in.u8();
      value |= (next & 0x7FL) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw in.corrupt("number actual=more than 63 bits, expected=at most 63");
  }
}
