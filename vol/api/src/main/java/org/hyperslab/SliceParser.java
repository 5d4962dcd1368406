package org.hyperslab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Selection;
import org.jspecify.annotations.Nullable;

/** Reads slices as NumPy writes them, for one extent; confined to one thread. */
final class SliceParser {

  /** The text of a slice; null if indices are taken. */
  private final @Nullable String text;

  private final long[] dims;
  private final long[] start;
  private final long[] step;
  private final long[] count;
  private final boolean[] dropped;
  private final int[][] places;

  /** The dimension with a list of indices, and those, ascending; none by default. */
  private int listed = -1;

  private long[] list = {};

  /** Returns one that takes indices of dimensions, without a text. */
  static SliceParser ofIndices(long[] dims) {
    return new SliceParser(null, dims);
  }

  SliceParser(@Nullable String text, long[] dims) {
    this.text = text;
    this.dims = dims;
    this.start = new long[dims.length];
    this.step = new long[dims.length];
    this.count = dims.clone();
    this.dropped = new boolean[dims.length];
    this.places = new int[dims.length][];
    Arrays.fill(step, 1);
  }

  SliceParser parse() {
    List<String> parts = parts(Objects.requireNonNull(text));
    int ellipsis = parts.indexOf("...");
    if (ellipsis != parts.lastIndexOf("...")) {
      throw problem("more than one \"...\"", "at most one");
    }
    int given = parts.size() - (ellipsis < 0 ? 0 : 1);
    if (given > dims.length) {
      throw problem(given + " dimensions", "at most " + dims.length);
    }
    int before = ellipsis < 0 ? given : ellipsis;
    for (int i = 0; i < before; i++) {
      dimension(i, parts.get(i));
    }
    for (int i = before; i < given; i++) {
      dimension(dims.length - given + i, parts.get(i + 1));
    }
    return this;
  }

  /** Returns the parts between commas that are not in brackets. */
  private List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    if (text.isBlank()) {
      return parts;
    }
    int from = 0;
    for (int i = 0, depth = 0; i <= text.length(); i++) {
      char next = i == text.length() ? ',' : text.charAt(i);
      depth += next == '[' ? 1 : next == ']' ? -1 : 0;
      if (depth < 0 || depth > 1 || (depth > 0 && i == text.length())) {
        throw problem("brackets", "a list of indices, such as \"[0, 3, 7], 2:5\"");
      }
      if (next == ',' && depth == 0) {
        parts.add(text.substring(from, i).strip());
        from = i + 1;
      }
    }
    if (parts.size() > 1 && parts.getLast().isEmpty()) {
      parts.removeLast(); // "3," is a tuple in Python
    }
    return parts;
  }

  Selection selection() {
    if (dims.length == 0) {
      return Selection.all();
    }
    long[] ones = new long[dims.length];
    Arrays.fill(ones, 1);
    Selection box = Selection.hyperslab(start, step, count, ones);
    return listed < 0 ? box : box.and(Selection.along(listed, list, dims));
  }

  long[] shape() {
    long[] shape = new long[dims.length];
    int rank = 0;
    for (int i = 0; i < dims.length; i++) {
      if (!dropped[i]) {
        shape[rank++] = i == listed ? list.length : count[i];
      }
    }
    return Arrays.copyOf(shape, rank);
  }

  /** Returns the order of the elements; null if it is that of the dataset. */
  @Nullable ElementOrder order() {
    int[][] kept = new int[dims.length][];
    int rank = 0;
    for (int i = 0; i < dims.length; i++) {
      if (!dropped[i]) {
        kept[rank++] = places[i];
      }
    }
    return ElementOrder.of(shape(), Arrays.copyOf(kept, rank));
  }

  private void dimension(int at, String part) {
    if (part.startsWith("[")) {
      list(at, part);
      return;
    }
    String[] fields = part.split(":", -1);
    if (fields.length > 3) {
      throw problem("\"" + part + "\"", "index or start:end:step");
    }
    if (fields.length == 1) {
      start[at] = index(at, part);
      count[at] = 1;
      dropped[at] = true;
      return;
    }
    step[at] = fields.length < 3 || fields[2].isBlank() ? 1 : number(fields[2]);
    if (step[at] == 0 || step[at] == Long.MIN_VALUE) {
      throw problem("step " + step[at], "not 0, and above -2^63");
    }
    if (step[at] < 0) {
      backwards(at, fields);
      return;
    }
    start[at] = bound(fields[0], 0, 0, dims[at]);
    long end = bound(fields[1], dims[at], 0, dims[at]);
    count[at] = end <= start[at] ? 0 : (end - start[at] - 1) / step[at] + 1;
  }

  /** Reads a range with a negative step: the same elements ascending, to be given in reverse. */
  private void backwards(int at, String[] fields) {
    long last = dims[at] - 1;
    long from = bound(fields[0], last, -1, last);
    long end = fields[1].isBlank() ? -1 : bound(fields[1], -1, -1, last);
    step[at] = -step[at];
    count[at] = from <= end ? 0 : (from - end - 1) / step[at] + 1;
    start[at] = count[at] == 0 ? 0 : from - (count[at] - 1) * step[at];
    places[at] = count[at] < 2 ? null : ElementOrder.reversed(count[at]);
  }

  private void list(int at, String part) {
    if (listed >= 0) {
      throw problem("two lists", "one; take(...) of what is read chooses in another");
    }
    String inside = part.substring(1, part.length() - (part.endsWith("]") ? 1 : 0)).strip();
    String[] fields = inside.isEmpty() ? new String[0] : inside.split(",", -1);
    long[] indices = new long[fields.length];
    for (int i = 0; i < fields.length; i++) {
      indices[i] = index(at, fields[i]);
    }
    take(at, indices);
  }

  /** Takes some indices of a dimension, in their order. */
  void take(int at, long[] indices) {
    listed = at;
    list = indices.clone();
    Arrays.sort(list);
    for (int i = 1; i < list.length; i++) {
      if (list[i] == list[i - 1]) {
        throw problem("index " + list[i] + " twice", "each once");
      }
    }
    if (!Arrays.equals(list, indices)) {
      places[at] = new int[list.length];
      Arrays.setAll(places[at], i -> Arrays.binarySearch(list, indices[i]));
    }
  }

  /** Returns an index of a dimension, which counts from the end if it is negative. */
  long index(int at, long index) {
    long found = index < 0 ? index + dims[at] : index;
    if (found < 0 || found >= dims[at]) {
      throw problem(
          "index " + index, "from " + -dims[at] + " to " + (dims[at] - 1) + " in dimension " + at);
    }
    return found;
  }

  private long index(int at, String field) {
    return index(at, number(field));
  }

  /** Clamps a bound, as NumPy does. */
  private long bound(String field, long absent, long least, long most) {
    if (field.isBlank()) {
      return absent;
    }
    long value = number(field);
    long extent = least < 0 ? most + 1 : most;
    return Math.clamp(value < 0 ? value + extent : value, least, Math.max(least, most));
  }

  private long number(String field) {
    try {
      return Long.parseLong(field.strip());
    } catch (NumberFormatException e) {
      throw problem("\"" + field + "\"", "a whole number");
    }
  }

  private InvalidUseException problem(String actual, String expected) {
    String call = text == null ? "take" : "slice";
    String at = text == null ? "" : ", at=\"" + text + "\"";
    return new InvalidUseException(call + ": actual=" + actual + ", expected=" + expected + at);
  }
}
