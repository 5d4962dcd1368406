package org.hyperslab.plugins.nativevol.differential;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Random edits of a file as lines of text, so that they can be carried out by anybody, printed, and
 * left out one by one: {@code dataset /a/n1 i32 chunked 10,5 -1,5 4,5 shuffle+deflate 7} and so on,
 * as differential.py reads them. Every edit is possible once those before it are done.
 *
 * <p>Confined to one thread.
 */
final class Edits {

  private static final int MAX_ATTRIBUTES = 12;

  private enum What {
    GROUP,
    /** A dataset whose elements are written, and perhaps its extent. */
    DATA,
    /** A virtual dataset or one of references: made once. */
    DERIVED,
    TYPE
  }

  private static final class Node {
    final What what;
    Kind kind;
    long[] dims;
    long[] most;

    /** Whether its type is committed. */
    boolean committed;

    /**
     * Whether other objects depend on its elements, so that it is not deleted and does not shrink.
     */
    boolean pinned;

    final List<String> attributes = new ArrayList<>();

    Node(What what) {
      this.what = what;
    }
  }

  private final Random random;
  private final boolean repacked;
  private final TreeMap<String, Node> nodes = new TreeMap<>();
  private final List<String> lines = new ArrayList<>();
  private int names;

  private Edits(Random random, boolean repacked) {
    this.random = random;
    this.repacked = repacked;
    nodes.put("/", new Node(What.GROUP));
  }

  /**
   * Generates a number of edits of a new file.
   *
   * @param repacked whether tools judge that write the file anew and print it. Then there is
   *     nothing that h5repack loses or dies of (elements in files of their own, virtual datasets,
   *     committed types of references), that h5dump dies of (regions of datasets whose type is
   *     committed), and no second link, of which either tool may name the other
   */
  static List<String> of(Random random, int count, boolean repacked) {
    Edits edits = new Edits(random, repacked);
    while (edits.lines.size() < count) {
      edits.add();
    }
    return edits.lines;
  }

  private void add() {
    switch (random.nextInt(27)) {
      case 0, 1 -> {
        String path = newPath();
        nodes.put(path, new Node(What.GROUP));
        line("group", path);
      }
      case 2, 3, 4, 5 -> dataset();
      case 6, 7, 8, 9, 10 -> write();
      case 11, 12 -> extent();
      case 13, 14, 15 -> attributes();
      case 16 -> links();
      case 17 -> delete();
      case 18 -> line("flush");
      case 19 -> commit();
      case 20, 21 -> virtual();
      case 22 -> growingVirtual();
      case 23 -> region();
      case 24 -> raw();
      case 25 -> numbered();
      default -> line("reopen");
    }
  }

  private void line(String... words) {
    lines.add(String.join(" ", words));
  }

  private String newPath() {
    List<String> groups = paths(node -> node.what == What.GROUP);
    String group = groups.get(random.nextInt(groups.size()));
    return (group.equals("/") ? "" : group) + "/n" + names++;
  }

  private List<String> paths(Predicate<Node> wanted) {
    return nodes.keySet().stream().filter(path -> wanted.test(nodes.get(path))).toList();
  }

  /** The path of one that is wanted; null if there is none. */
  private String any(Predicate<Node> wanted) {
    List<String> all = paths(wanted);
    return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
  }

  private String anyData() {
    return any(node -> node.what == What.DATA);
  }

  private static String text(long[] numbers) {
    StringJoiner joiner = new StringJoiner(",");
    Arrays.stream(numbers).forEach(n -> joiner.add(Long.toString(n)));
    return numbers.length == 0 ? "-" : joiner.toString();
  }

  private long[] dims(int rank) {
    return random.longs(rank, 1, 13).toArray();
  }

  private void dataset() {
    Node node = new Node(What.DATA);
    String shared = random.nextInt(3) == 0 ? any(each -> each.what == What.TYPE) : null;
    node.kind = shared == null ? anyKind() : nodes.get(shared).kind;
    node.committed = shared != null;
    node.dims = dims(random.nextInt(10) == 0 ? 0 : 1 + random.nextInt(3));
    node.most = node.dims.clone();
    String[] layouts = {
      "compact", "contiguous", "contiguous", "chunked", "chunked", "chunked", "early"
    };
    String layout = layouts[random.nextInt(layouts.length)];
    String filters = "-";
    long[] chunk = {};
    if (node.dims.length == 0) {
      layout = "contiguous";
    } else if (layout.equals("chunked") || layout.equals("early")) {
      for (int d = 0; d < node.most.length; d++) {
        int free = random.nextInt(3);
        node.most[d] = free == 0 ? -1 : free == 1 ? node.dims[d] + 5 : node.dims[d];
      }
      chunk = Arrays.stream(node.dims).map(n -> 1 + random.nextLong(n)).toArray();
      boolean heap = node.kind.type.hasOutOfLineParts();
      String[] choices =
          heap
              ? new String[] {"-", "deflate"}
              : new String[] {
                "-", "-", "deflate", "shuffle+deflate", "fletcher32", "shuffle+deflate+fletcher32"
              };
      filters = choices[random.nextInt(choices.length)];
    }
    String fill = node.kind.isInteger() && random.nextInt(3) == 0 ? "" + random.nextInt(100) : "-";
    String path = newPath();
    nodes.put(path, node);
    line(
        "dataset",
        path,
        node.kind.word(),
        layout,
        text(node.dims),
        text(node.most),
        text(chunk),
        filters,
        fill,
        shared == null ? "-" : shared);
  }

  private Kind anyKind() {
    return Kind.values()[random.nextInt(Kind.values().length)];
  }

  private void commit() {
    Node node = new Node(What.TYPE);
    node.kind = anyKind();
    if (repacked && node.kind == Kind.REF) {
      return;
    }
    String path = newPath();
    nodes.put(path, node);
    line("commit", path, node.kind.word());
  }

  private static boolean isPlain(Node node) {
    return node.what == What.DATA
        && node.dims.length > 0
        && !node.kind.type.hasOutOfLineParts()
        && node.kind != Kind.REF
        && Arrays.stream(node.dims).noneMatch(n -> n == 0);
  }

  /** A virtual dataset of fixed extent, with boxes of other datasets in it. */
  private void virtual() {
    String first = any(Edits::isPlain);
    if (first == null || repacked) {
      return;
    }
    Node node = new Node(What.DERIVED);
    node.kind = nodes.get(first).kind;
    node.dims = dims(nodes.get(first).dims.length);
    node.most = node.dims;
    StringJoiner words = new StringJoiner(" ");
    List<Box> taken = new ArrayList<>();
    for (int parts = 1 + random.nextInt(3); parts > 0; parts--) {
      String source =
          any(each ->
              isPlain(each) && each.kind == node.kind && each.dims.length == node.dims.length);
      Node from = nodes.get(source);
      from.pinned = true;
      long[] count = new long[node.dims.length];
      long[] there = new long[count.length];
      long[] here = new long[count.length];
      for (int d = 0; d < count.length; d++) {
        count[d] = 1 + random.nextLong(Math.min(node.dims[d], from.dims[d]));
        there[d] = random.nextLong(from.dims[d] - count[d] + 1);
        here[d] = random.nextLong(node.dims[d] - count[d] + 1);
      }
      // Where parts overlap, the HDF5 library may leave what no part covers as memory was.
      if (taken.stream().noneMatch(box -> box.overlaps(here, count))) {
        taken.add(new Box(here, count));
        words.add(source).add(text(there)).add(text(here)).add(text(count));
      }
    }
    String path = newPath();
    nodes.put(path, node);
    line("virtual", path, node.kind.word(), text(node.dims), words.toString());
  }

  /** A part of a virtual dataset. */
  private record Box(long[] start, long[] count) {
    boolean overlaps(long[] otherStart, long[] otherCount) {
      boolean all = true;
      for (int d = 0; d < start.length; d++) {
        all &= start[d] < otherStart[d] + otherCount[d] && otherStart[d] < start[d] + count[d];
      }
      return all;
    }
  }

  /** A virtual dataset of one dimension that grows with its sources. */
  private void growingVirtual() {
    Predicate<Node> wanted =
        node -> isPlain(node) && node.dims.length == 1 && node.most[0] == -1 && !node.pinned;
    String first = any(wanted);
    if (first == null || repacked) {
      return;
    }
    Node node = new Node(What.DERIVED);
    node.kind = nodes.get(first).kind;
    node.dims = new long[] {0};
    node.most = node.dims;
    String second = any(each -> wanted.test(each) && each.kind == node.kind);
    String path = newPath();
    nodes.put(path, node);
    line("growing", path, node.kind.word(), first, second, "" + (1 + random.nextInt(3)));
  }

  /** A virtual dataset over sources whose names are numbered, of which some may be missing. */
  private void numbered() {
    Kind kind = anyKind();
    if (repacked || kind.type.hasOutOfLineParts() || kind == Kind.REF) {
      return;
    }
    String path = newPath();
    Node node = new Node(What.DERIVED);
    node.kind = kind;
    node.dims = new long[] {0};
    node.most = node.dims;
    nodes.put(path, node);
    long[] block = {1 + random.nextInt(4)};
    StringJoiner made = new StringJoiner(",");
    made.add("0");
    for (int i = 1; i < 5; i++) {
      if (random.nextInt(4) > 0) {
        made.add("" + i);
      }
    }
    line("numbered", path, kind.word(), text(block), made.toString());
    for (String number : made.toString().split(",")) {
      Node source = new Node(What.DATA);
      source.kind = kind;
      source.dims = block.clone();
      source.most = source.dims;
      nodes.put(path + "s" + number, source);
    }
  }

  /** References to boxes of datasets. */
  private void region() {
    String target = any(node -> isPlain(node) && !(repacked && node.committed));
    if (target == null) {
      return;
    }
    Node of = nodes.get(target);
    of.pinned = true;
    Node node = new Node(What.DERIVED);
    node.dims = new long[0];
    node.most = node.dims;
    long[] start = new long[of.dims.length];
    long[] count = new long[of.dims.length];
    for (int d = 0; d < start.length; d++) {
      start[d] = random.nextLong(of.dims[d]);
      count[d] = 1 + random.nextLong(of.dims[d] - start[d]);
    }
    String path = newPath();
    nodes.put(path, node);
    line("region", path, target, text(start), text(count));
  }

  /** A dataset in a file of its own, written at once. */
  private void raw() {
    Node node = new Node(What.DATA);
    node.kind = anyKind();
    if (repacked || node.kind.type.hasOutOfLineParts() || node.kind == Kind.REF) {
      return;
    }
    node.dims = dims(1 + random.nextInt(3));
    node.most = node.dims;
    String path = newPath();
    nodes.put(path, node);
    String seed = "" + random.nextInt(1000);
    line("raw", path, node.kind.word(), text(node.dims), "raw" + names, seed);
  }

  private void write() {
    String path = anyData();
    if (path == null || Arrays.stream(nodes.get(path).dims).anyMatch(n -> n == 0)) {
      return;
    }
    Node node = nodes.get(path);
    long[] start = new long[node.dims.length];
    long[] count = node.dims.clone();
    if (random.nextInt(4) > 0) {
      for (int d = 0; d < start.length; d++) {
        start[d] = random.nextLong(node.dims[d]);
        count[d] = 1 + random.nextLong(node.dims[d] - start[d]);
      }
    }
    line("write", path, node.kind.word(), text(start), text(count), "" + random.nextInt(1000));
  }

  private void extent() {
    String path = anyData();
    if (path == null || Arrays.equals(nodes.get(path).dims, nodes.get(path).most)) {
      return;
    }
    Node node = nodes.get(path);
    for (int d = 0; d < node.dims.length; d++) {
      if (random.nextBoolean() && node.most[d] != 0) {
        long wanted = random.nextLong(node.most[d] < 0 ? 20 : node.most[d] + 1);
        node.dims[d] = node.pinned ? Math.max(node.dims[d], wanted) : wanted;
      }
    }
    line("extent", path, text(node.dims));
  }

  private void attributes() {
    List<String> all = List.copyOf(nodes.keySet());
    String path = all.get(random.nextInt(all.size()));
    Node node = nodes.get(path);
    if (!node.attributes.isEmpty() && random.nextInt(4) == 0) {
      line("noattribute", path, node.attributes.remove(random.nextInt(node.attributes.size())));
      return;
    }
    for (int count = random.nextInt(6) == 0 ? 10 : 1; count > 0; count--) {
      String name = "a" + random.nextInt(MAX_ATTRIBUTES);
      Kind kind = anyKind();
      if (repacked && node.what == What.TYPE && kind == Kind.REF) {
        continue;
      }
      if (!node.attributes.contains(name)) {
        node.attributes.add(name);
      }
      line(
          "attribute",
          path,
          name,
          kind.word(),
          text(dims(random.nextInt(3))),
          "" + random.nextInt(1000));
    }
  }

  private void links() {
    String data = any(node -> node.what != What.GROUP);
    String path = newPath();
    if (data == null || random.nextInt(3) == 0) {
      line("soft", path, "/nowhere/n" + names);
    } else if (random.nextInt(3) == 0) {
      line("external", path, "other.h5", "/x");
    } else if (random.nextBoolean() && !repacked) {
      nodes.put(path, nodes.get(data));
      line("hard", path, data);
    } else {
      nodes.put(path, nodes.remove(data));
      line("move", data, path);
    }
  }

  private void delete() {
    List<String> all = nodes.keySet().stream().filter(path -> path.length() > 1).toList();
    if (!all.isEmpty()) {
      String path = all.get(random.nextInt(all.size()));
      for (String each : all) {
        if ((each.equals(path) || each.startsWith(path + "/")) && nodes.get(each).pinned) {
          return;
        }
      }
      nodes.keySet().removeIf(each -> each.equals(path) || each.startsWith(path + "/"));
      line("delete", path);
    }
  }
}
