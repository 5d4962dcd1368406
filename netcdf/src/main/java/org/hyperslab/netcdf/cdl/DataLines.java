package org.hyperslab.netcdf.cdl;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.DataBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the elements of a variable, a row of the last dimension at a time. Elements are read in
 * blocks of consecutive elements. Parts along an unlimited dimension that is not the first are in
 * braces, because their number cannot be derived from the declaration.
 *
 * <p>Thread rule: confined to one thread.
 */
final class DataLines {

  private static final int BLOCK_ELEMENTS = 1 << 16;

  private final CdlFile.Variable variable;
  private final VariableText text;
  private final CdlOutput out;
  private final IndexNotes notes;
  private final String name;
  private final long[] shape;

  /** The first axis of which a block has several indexes; it has all of those behind it. */
  private final int cut;

  /** How many indexes of that axis a block has at most. */
  private final long step;

  private @Nullable DataBuffer block;

  /** The number of the block's first element, and of the element behind its last one. */
  private long from;

  private long end;

  DataLines(CdlFile.Variable variable, VariableText text, CdlOutput out, IndexNotes notes) {
    this.notes = notes;
    this.name = CdlNames.escaped(variable.name());
    this.variable = variable;
    this.text = text;
    this.out = out;
    this.shape = variable.dimensions().stream().mapToLong(CdlFile.Dimension::length).toArray();
    int axis = Math.max(0, shape.length - 1);
    long inner = 1;
    while (axis > 0 && Math.multiplyExact(inner, shape[axis]) <= BLOCK_ELEMENTS) {
      inner *= shape[axis];
      axis--;
    }
    this.cut = axis;
    this.step = Math.max(1, BLOCK_ELEMENTS / inner);
  }

  void write() {
    out.print("\n");
    out.line(" " + name);
    if (shape.length <= 1) {
      out.print(" = ");
      int bytes = NameBytes.encode(variable.name()).length;
      out.at(bytes + 4);
    } else {
      out.print(" =\n  ");
      out.at(2);
    }
    rows(0, 0, 0, true);
  }

  /**
   * Writes the part behind an index of the axes before one.
   *
   * @param level the axis
   * @param first the number of the part's first element
   * @param open braces that are closed behind the part's last element
   * @param isLast whether no part follows
   */
  private void rows(int level, long first, int open, boolean isLast) {
    List<CdlFile.Dimension> axes = variable.dimensions();
    boolean isMarked = level > 0 && axes.get(level).unlimited();
    if (isMarked) {
      out.value("{");
    }
    int braces = open + (isMarked ? 1 : 0);
    if (shape.length - level <= 1) {
      row(first, shape.length == 0 ? 1 : shape[level], braces, isLast);
      return;
    }
    long inner = 1;
    for (int axis = level + 1; axis < shape.length; axis++) {
      inner *= shape[axis];
    }
    for (long i = 0; i < shape[level]; i++) {
      boolean isEnd = i == shape[level] - 1;
      rows(level + 1, first + i * inner, isEnd ? braces : 0, isLast && isEnd);
    }
  }

  private void row(long first, long count, int braces, boolean isLast) {
    String closed = "}".repeat(braces);
    if (notes.areFull()) {
      annotated(first, count, closed, isLast);
      return;
    }
    if (notes.areBrief() && shape.length > 1) {
      out.print(notes.ofRow(name, above(first), count));
      out.continued();
    }
    if (text.isCharacters()) {
      out.print(CdlText.row(characters(first, count)));
      out.value(closed);
    } else {
      for (long i = 0; i < count - 1; i++) {
        out.value(element(first + i) + ", ");
      }
      out.value(element(first + count - 1) + closed);
    }
    if (isLast) {
      out.value(" ;");
      out.value("\n");
    } else {
      out.value(",\n");
      out.value("  ");
    }
  }

  /** Writes a row of which each element has a line with a comment; characters are one. */
  private void annotated(long first, long count, String closed, boolean isLast) {
    long[] above = above(first);
    if (text.isCharacters()) {
      out.print(CdlText.row(characters(first, count)));
    } else {
      for (long i = 0; i < count - 1; i++) {
        out.print(element(first + i) + ", " + notes.ofElement(name, above, i));
      }
      out.print(element(first + count - 1));
    }
    out.print(closed + (isLast ? ";" : ",") + notes.ofElement(name, above, count - 1));
  }

  /** Returns the indices of an element along the axes before the last one. */
  private long[] above(long number) {
    long[] indices = new long[Math.max(0, shape.length - 1)];
    long rest = shape.length == 0 ? 0 : number / shape[shape.length - 1];
    for (int axis = indices.length - 1; axis >= 0; axis--) {
      indices[axis] = rest % shape[axis];
      rest /= shape[axis];
    }
    return indices;
  }

  private String element(long number) {
    DataBuffer elements = load(number);
    return text.text(elements, (number - from) * text.size());
  }

  private byte[] characters(long first, long count) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (long done = 0; done < count; ) {
      DataBuffer elements = load(first + done);
      long at = first + done - from;
      long part = Math.min(count - done, end - from - at);
      bytes.writeBytes(elements.elements().asSlice(at, part).toArray(ValueLayout.JAVA_BYTE));
      done += part;
    }
    return bytes.toByteArray();
  }

  /** Returns the block of an element, which it reads if it is not there. */
  private DataBuffer load(long number) {
    if (block != null && number >= from && number < end) {
      return block;
    }
    long[] origin = new long[shape.length];
    long[] box = new long[shape.length];
    Arrays.fill(box, 1);
    long rest = number;
    for (int axis = shape.length - 1; axis >= 0; axis--) {
      origin[axis] = rest % shape[axis];
      rest /= shape[axis];
    }
    long count = 1;
    for (int axis = cut + 1; axis < shape.length; axis++) {
      box[axis] = shape[axis];
      origin[axis] = 0;
      count *= shape[axis];
    }
    if (shape.length > 0) {
      box[cut] = Math.min(step, shape[cut] - origin[cut]);
      count *= box[cut];
    }
    DataBuffer read = variable.elements().read(origin, box);
    block = read;
    from = number;
    end = number + count;
    return read;
  }
}
