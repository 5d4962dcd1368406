package org.hyperslab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.format.space.Selection;

/** Reads slices as NumPy writes them, for one extent; confined to one thread. */
final class SliceParser {

  private final String text;
  private final long[] dims;
  private final long[] start;
  private final long[] step;
  private final long[] count;
  private final boolean[] dropped;

  SliceParser(String text, long[] dims) {
    this.text = text;
    this.dims = dims;
    this.start = new long[dims.length];
    this.step = new long[dims.length];
    this.count = dims.clone();
    this.dropped = new boolean[dims.length];
    Arrays.fill(step, 1);
  }

  SliceParser parse() {
    if (text.indexOf('[') >= 0) {
      throw Slice.problem(
          text,
          "brackets",
          "indices and ranges, such as \"3, 2:5\"; select(Selection.points(...)) takes lists of"
              + " points, Selection.union lists of rows");
    }
    List<String> parts = new ArrayList<>();
    if (!text.isBlank()) {
      for (String part : text.split(",", -1)) {
        parts.add(part.strip());
      }
      if (parts.size() > 1 && parts.getLast().isEmpty()) {
        parts.removeLast(); // "3," is a tuple in Python
      }
    }
    int ellipsis = parts.indexOf("...");
    if (ellipsis != parts.lastIndexOf("...")) {
      throw Slice.problem(text, "more than one \"...\"", "at most one");
    }
    int given = parts.size() - (ellipsis < 0 ? 0 : 1);
    if (given > dims.length) {
      throw Slice.problem(text, given + " dimensions", "at most " + dims.length);
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

  Selection selection() {
    if (dims.length == 0) {
      return Selection.all();
    }
    long[] ones = new long[dims.length];
    Arrays.fill(ones, 1);
    return Selection.hyperslab(start, step, count, ones);
  }

  long[] shape() {
    long[] shape = new long[dims.length];
    int rank = 0;
    for (int i = 0; i < dims.length; i++) {
      if (!dropped[i]) {
        shape[rank++] = count[i];
      }
    }
    return Arrays.copyOf(shape, rank);
  }

  private void dimension(int at, String part) {
    String[] fields = part.split(":", -1);
    if (fields.length > 3) {
      throw Slice.problem(text, "\"" + part + "\"", "index or start:end:step");
    }
    if (fields.length == 1) {
      long index = number(part);
      start[at] = index < 0 ? index + dims[at] : index;
      if (start[at] < 0 || start[at] >= dims[at]) {
        throw Slice.problem(
            text,
            "index " + index,
            "from " + -dims[at] + " to " + (dims[at] - 1) + " in dimension " + at);
      }
      count[at] = 1;
      dropped[at] = true;
      return;
    }
    step[at] = fields.length < 3 || fields[2].isBlank() ? 1 : number(fields[2]);
    if (step[at] < 1) {
      throw Slice.problem(text, "step " + step[at], "at least 1");
    }
    start[at] = bound(fields[0], 0, dims[at]);
    long end = bound(fields[1], dims[at], dims[at]);
    count[at] = end <= start[at] ? 0 : (end - start[at] - 1) / step[at] + 1;
  }

  /** Clamps a bound to the extent, as NumPy does. */
  private long bound(String field, long absent, long extent) {
    if (field.isBlank()) {
      return absent;
    }
    long value = number(field);
    return Math.clamp(value < 0 ? value + extent : value, 0, extent);
  }

  private long number(String field) {
    try {
      return Long.parseLong(field.strip());
    } catch (NumberFormatException e) {
      throw Slice.problem(text, "\"" + field + "\"", "a whole number");
    }
  }
}
