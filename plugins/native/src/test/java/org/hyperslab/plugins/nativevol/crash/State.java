package org.hyperslab.plugins.nativevol.crash;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hyperslab.Attribute;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.Layout;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectToken;

/**
 * The content of a file: objects by absolute path, with attributes, extents and elements; either
 * the model of a workload or what was found in a file.
 *
 * <p>Elements are 32-bit integers or texts, in row-major order.
 */
final class State {

  /** One object, or a soft link. Paths that are hard links to one object share it. */
  static final class Node {
    final TreeMap<String, String> attributes = new TreeMap<>();
    String softTarget;
    long[] dims;
    int[] numbers;
    String[] texts;
    int fill;
    boolean growing;

    /** Whether elements of a previous flush are overwritten in place. */
    boolean inPlace;

    /** The extent as of the last flush, in whose terms {@link #overwritten} counts. */
    long[] flushedDims;

    /** The values written over each flushed element since the flush, by its index. */
    Map<Integer, List<Integer>> overwritten = new HashMap<>();

    boolean isData() {
      return dims != null;
    }

    private Node copy() {
      Node copy = new Node();
      copy.attributes.putAll(attributes);
      copy.softTarget = softTarget;
      copy.dims = dims == null ? null : dims.clone();
      copy.numbers = numbers == null ? null : numbers.clone();
      copy.texts = texts == null ? null : texts.clone();
      copy.overwritten = overwritten;
      return copy;
    }
  }

  final TreeMap<String, Node> nodes = new TreeMap<>();

  /** Returns the state of a flush: a copy that records elements overwritten after it. */
  State flushed() {
    nodes
        .values()
        .forEach(node -> {
          node.overwritten = new HashMap<>();
          node.flushedDims = node.dims == null ? null : node.dims.clone();
        });
    return unchanged();
  }

  /** A copy of this as it is. */
  State unchanged() {
    State copy = new State();
    Map<Node, Node> copies = new IdentityHashMap<>();
    nodes.forEach((path, node) -> copy.nodes.put(path, copies.computeIfAbsent(node, Node::copy)));
    return copy;
  }

  // --- what a file holds ---

  /** Everything in a file. */
  static State of(H5File file) {
    State state = new State();
    state.add("", file.root(), new HashMap<>());
    return state;
  }

  private void add(String path, H5Object object, Map<ObjectToken, Node> known) {
    Node same = known.get(object.token());
    Node node = same == null ? new Node() : same;
    nodes.put(path.isEmpty() ? "/" : path, node);
    if (same != null) {
      return;
    }
    known.put(object.token(), node);
    object.attributes().forEach(a -> node.attributes.put(a.name(), text(a)));
    if (object instanceof Dataset dataset) {
      node.dims = dataset.shape();
      if (dataset.options().fill() instanceof FillValue.Value given) {
        node.fill = given.value().elements().get(ValueLayout.JAVA_INT_UNALIGNED, 0);
      }
      node.growing = node.dims.length == 2 && dataset.space().maxDims()[0] == Dataspace.UNLIMITED;
      node.inPlace =
          dataset.options().filters().isEmpty()
              && !(dataset.options().layout() instanceof Layout.Compact);
      if (dataset.type() instanceof IntegerType) {
        node.numbers = dataset.readInts();
      } else {
        // A text that was never written is null here, and empty to others.
        node.texts = dataset.readStrings();
        Arrays.setAll(node.texts, i -> node.texts[i] == null ? "" : node.texts[i]);
      }
    } else if (object instanceof Group group) {
      group.links().forEach(link -> add(path + "/" + link.name(), link, group, known));
    }
  }

  private void add(String path, Link link, Group group, Map<ObjectToken, Node> known) {
    if (link.info().kind() == LinkKind.SOFT) {
      Node node = new Node();
      node.softTarget = link.info().targetPath();
      nodes.put(path, node);
      return;
    }
    try (H5Object object = group.get(link.name())) {
      add(path, object, known);
    }
  }

  private static String text(Attribute attribute) {
    return attribute.type() instanceof IntegerType
        ? numbers(attribute.readInts())
        : "text " + attribute.readString();
  }

  /** Integers as attributes are compared. */
  static String numbers(int[] values) {
    return Arrays.stream(values).mapToObj(Integer::toString).collect(Collectors.joining(","));
  }

  /** Parses the output of {@link PythonReader}. */
  static State parse(List<String> lines) {
    State state = new State();
    for (String line : lines) {
      String[] fields = line.split("\t", -1);
      Node node = state.nodes.computeIfAbsent(fields[1], path -> new Node());
      switch (fields[0]) {
        case "A" -> node.attributes.put(fields[2], fields[3]);
        case "S" -> node.softTarget = fields[2];
        case "D" -> {
          node.dims = longs(fields[2]);
          node.numbers = Arrays.stream(longs(fields[3])).mapToInt(Math::toIntExact).toArray();
        }
        case "T" -> {
          node.dims = longs(fields[2]);
          node.texts = fields[3].isEmpty() ? new String[0] : texts(fields[3]);
        }
        default -> {}
      }
    }
    return state;
  }

  private static long[] longs(String text) {
    return text.isEmpty()
        ? new long[0]
        : Arrays.stream(text.split(",", -1)).mapToLong(Long::parseLong).toArray();
  }

  private static String[] texts(String text) {
    List<String> all = new ArrayList<>(List.of(text.split("\u001f", -1)));
    all.removeLast();
    return all.toArray(String[]::new);
  }

  // --- comparison ---

  /**
   * In what a file differs from this, which a flush left, or null if it does not. Elements that
   * were overwritten in place since then may have any mixture of the bytes of their values.
   */
  String difference(State found) {
    if (!nodes.keySet().equals(found.nodes.keySet())) {
      return "paths " + found.nodes.keySet() + ", expected " + nodes.keySet();
    }
    for (Map.Entry<String, Node> entry : nodes.entrySet()) {
      String difference = difference(entry.getValue(), found.nodes.get(entry.getKey()));
      if (difference != null) {
        return entry.getKey() + ": " + difference;
      }
    }
    return null;
  }

  private static String difference(Node expected, Node found) {
    if (!expected.attributes.equals(found.attributes)) {
      return "attributes " + found.attributes + ", expected " + expected.attributes;
    }
    if (!Objects.equals(expected.softTarget, found.softTarget)) {
      return "link to " + found.softTarget + ", expected " + expected.softTarget;
    }
    if (!Arrays.equals(expected.dims, found.dims)) {
      return "extent "
          + Arrays.toString(found.dims)
          + ", expected "
          + Arrays.toString(expected.dims);
    }
    if (!Arrays.equals(expected.texts, found.texts)) {
      return Arrays.toString(found.texts) + ", expected " + Arrays.toString(expected.texts);
    }
    if (expected.numbers == null || Arrays.equals(expected.numbers, found.numbers)) {
      return null;
    }
    if (found.numbers == null || found.numbers.length != expected.numbers.length) {
      return "elements of another kind or number";
    }
    return IntStream.range(0, expected.numbers.length)
        .filter(i -> !mixture(found.numbers[i], expected.numbers[i], expected.overwritten.get(i)))
        .mapToObj(
            i -> "element " + i + " " + found.numbers[i] + ", expected " + expected.numbers[i])
        .findFirst()
        .orElse(null);
  }

  private static boolean mixture(int found, int expected, List<Integer> overwritten) {
    if (found == expected) {
      return true;
    }
    if (overwritten == null) {
      return false;
    }
    for (int shift = 0; shift < 32; shift += 8) {
      int b = (found >>> shift) & 0xFF;
      int at = shift;
      boolean known =
          b == ((expected >>> shift) & 0xFF)
              || overwritten.stream().anyMatch(value -> ((value >>> at) & 0xFF) == b);
      if (!known) {
        return false;
      }
    }
    return true;
  }
}
