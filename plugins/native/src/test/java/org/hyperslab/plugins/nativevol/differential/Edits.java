package org.hyperslab.plugins.nativevol.differential;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * Random edits of a file as lines of text, so that they can be carried out by anybody, printed, and
 * left out one by one: {@code dataset /a/n1 i32 chunked 10,5 -1,5 4,5 shuffle+deflate 7} and so on,
 * as differential.py reads them. Every edit is possible once those before it are done.
 *
 * <p>Confined to one thread.
 */
final class Edits {

  private static final int MOST_ATTRIBUTES = 12;

  private static final class Node {
    Kind kind;
    long[] dims;
    long[] most;
    final List<String> attributes = new ArrayList<>();
  }

  private final Random random;
  private final TreeMap<String, Node> nodes = new TreeMap<>();
  private final List<String> lines = new ArrayList<>();
  private int names;

  private Edits(Random random) {
    this.random = random;
    nodes.put("/", new Node());
  }

  /** So many edits of a new file. */
  static List<String> of(Random random, int count) {
    Edits edits = new Edits(random);
    while (edits.lines.size() < count) {
      edits.add();
    }
    return edits.lines;
  }

  private void add() {
    switch (random.nextInt(20)) {
      case 0, 1 -> {
        String path = newPath();
        nodes.put(path, new Node());
        line("group", path);
      }
      case 2, 3, 4, 5 -> dataset();
      case 6, 7, 8, 9, 10 -> write();
      case 11, 12 -> extent();
      case 13, 14, 15 -> attributes();
      case 16 -> links();
      case 17 -> delete();
      case 18 -> line("flush");
      default -> line("reopen");
    }
  }

  private void line(String... words) {
    lines.add(String.join(" ", words));
  }

  private String newPath() {
    List<String> groups = paths(false);
    String group = groups.get(random.nextInt(groups.size()));
    return (group.equals("/") ? "" : group) + "/n" + names++;
  }

  private List<String> paths(boolean data) {
    return nodes.keySet().stream().filter(path -> (nodes.get(path).kind != null) == data).toList();
  }

  private String anyData() {
    List<String> all = paths(true);
    return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
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
    Node node = new Node();
    node.kind = Kind.values()[random.nextInt(Kind.values().length)];
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
        fill);
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
        node.dims[d] = random.nextLong(node.most[d] < 0 ? 20 : node.most[d] + 1);
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
      String name = "a" + random.nextInt(MOST_ATTRIBUTES);
      Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
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
    String data = anyData();
    String path = newPath();
    if (data == null || random.nextInt(3) == 0) {
      line("soft", path, "/nowhere/n" + names);
    } else if (random.nextInt(3) == 0) {
      line("external", path, "other.h5", "/x");
    } else if (random.nextBoolean()) {
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
      nodes.keySet().removeIf(each -> each.equals(path) || each.startsWith(path + "/"));
      line("delete", path);
    }
  }
}
