package org.hyperslab.web;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalDouble;
import org.hyperslab.Slice;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.VlenHeap;

/**
 * One number for each block of a slice with steps: an index that the slice selects begins a block,
 * which ends before the next one or at the end of the dimension. All elements of the blocks are
 * read piece by piece, and only the numbers are held in memory. Elements that are not finite, or
 * equal to a given number, are left out; a block of nothing else is NaN.
 *
 * <p>Thread rule: confined to one thread.
 */
final class ReducedSlice {

  /** The number of bytes of memory for one block: its number so far, and how many it has. */
  private static final int BLOCK_BYTES = 2 * Long.BYTES;

  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** What is told of a block. */
  enum Method {
    /** Its first element. */
    FIRST,
    /** The mean of its elements. */
    MEAN,
    /** Its least element. */
    MIN,
    /** Its greatest element. */
    MAX;

    /**
     * {@return the method of a name}
     *
     * @param name the name, in lower case
     * @throws InvalidUseException if it is not the name of one
     */
    static Method of(String name) {
      return Arrays.stream(values())
          .filter(method -> method.name().toLowerCase(Locale.ROOT).equals(name))
          .findFirst()
          .orElseThrow(() ->
              new InvalidUseException(
                  "reduce: actual=" + name + ", expected=first, mean, min or max"));
    }
  }

  private final Slice slice;
  private final Method method;
  private final OptionalDouble missing;
  private final RequestBudget budget;
  private final Datatype type;

  /** The indices that begin blocks: start, step and count of each dimension. */
  private final StridedBox blocks;

  private double[] numbers;
  private long[] counts;

  /**
   * Creates a reduction.
   *
   * @param slice the slice, of numbers
   * @param selection its text, which tells the steps
   * @param method what is told of a block
   * @param missing the number that is left out
   * @param budget what the request may use
   */
  ReducedSlice(
      Slice slice, String selection, Method method, OptionalDouble missing, RequestBudget budget) {
    this.slice = slice;
    this.method = method;
    this.missing = missing;
    this.budget = budget;
    this.type = type(slice);
    this.blocks = withSteps(StridedBox.of(slice), selection);
  }

  /**
   * {@return the type of the numbers: 32-bit or 64-bit floating-point numbers, little-endian}
   *
   * @param slice a slice
   * @throws UnsupportedFeatureException if its elements are not numbers
   */
  static Datatype type(Slice slice) {
    Datatype safe =
        PlainTypes.safe(slice.type())
            .orElseThrow(() ->
                new UnsupportedFeatureException(
                    "type: actual=" + slice.type().describe() + ", expected=numbers"));
    boolean isShort = safe instanceof FloatType && safe.size() == Float.BYTES;
    return isShort ? Datatypes.F32LE : Datatypes.F64LE;
  }

  /** Returns a box with the steps of its text, also where a single index is selected. */
  private static StridedBox withSteps(StridedBox box, String selection) {
    String[] parts = selection.split(",");
    long[] step = box.step().clone();
    for (int i = 0; i < Math.min(step.length, parts.length); i++) {
      String[] range = parts[i].strip().split(":", -1);
      if (range.length == 3 && !range[2].isBlank()) {
        step[i] = Long.parseLong(range[2].strip());
      }
    }
    return new StridedBox(box.start(), step, box.count());
  }

  /** {@return the number of each block, in row-major order} */
  byte[] bytes() {
    int count = Math.toIntExact(blocks.elements());
    budget.hold((long) count * (BLOCK_BYTES + type.size()));
    numbers = new double[count];
    counts = new long[count];
    if (method != Method.MEAN) {
      Arrays.fill(numbers, Double.NaN);
    }
    if (count > 0) {
      readAll();
    }
    ByteBuffer bytes = ByteBuffer.allocate(count * type.size()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      double number = method == Method.MEAN ? numbers[i] / counts[i] : numbers[i];
      if (type.size() == Float.BYTES) {
        bytes.putFloat((float) number);
      } else {
        bytes.putDouble(number);
      }
    }
    return bytes.array();
  }

  /** Returns all elements of the blocks. */
  private StridedBox covered() {
    int rank = blocks.count().length;
    long[] ones = new long[rank];
    Arrays.fill(ones, 1);
    long[] lengths = new long[rank];
    for (int i = 0; i < rank; i++) {
      long rest = slice.dataset().space().dim(i) - blocks.start()[i];
      lengths[i] = Math.min(rest, StridedBox.product(blocks.count()[i], blocks.step()[i]));
    }
    return new StridedBox(blocks.start(), ones, lengths);
  }

  private void readAll() {
    PieceReader reader = new PieceReader(slice.dataset(), covered(), type, budget);
    BoxPieces pieces = reader.pieces();
    byte[] memory = new byte[0];
    for (long i = 0; i < pieces.pieces(); i++) {
      BoxPieces.Piece piece = pieces.piece(i);
      int length = Math.toIntExact(piece.box().elements() * type.size());
      if (memory.length < length) {
        budget.hold(length - memory.length);
        memory = new byte[length];
      }
      MemorySegment elements = MemorySegment.ofArray(memory).asSlice(0, length);
      reader.read(piece, elements, VlenHeap.none());
      add(piece.box(), elements);
    }
  }

  /** Adds the elements of a piece to their blocks, row by row. */
  private void add(StridedBox piece, MemorySegment elements) {
    int rank = piece.count().length;
    if (rank == 0) {
      add(0, at(elements, 0));
      return;
    }
    long row = piece.count()[rank - 1];
    long rows = row == 0 ? 0 : piece.elements() / row;
    for (long i = 0; i < rows; i++) {
      addRow(firstBlock(piece, i), piece.start()[rank - 1], i * row, row, elements);
    }
  }

  /** Returns the index of the first block of the row of blocks that has a row of a piece. */
  private long firstBlock(StridedBox piece, long number) {
    long rest = number;
    long block = 0;
    long factor = blocks.count()[piece.count().length - 1];
    for (int axis = piece.count().length - 2; axis >= 0; axis--) {
      long index = piece.start()[axis] + rest % piece.count()[axis];
      rest /= piece.count()[axis];
      block += (index - blocks.start()[axis]) / blocks.step()[axis] * factor;
      factor *= blocks.count()[axis];
    }
    return block;
  }

  private void addRow(long block, long column, long from, long length, MemorySegment elements) {
    int last = blocks.count().length - 1;
    long step = blocks.step()[last];
    long offset = column - blocks.start()[last];
    long done = 0;
    while (done < length) {
      int at = Math.toIntExact(block + (offset + done) / step);
      long end = Math.min(length, done + step - (offset + done) % step);
      while (done < end) {
        add(at, at(elements, from + done));
        done++;
      }
    }
  }

  private double at(MemorySegment elements, long index) {
    return type.size() == Float.BYTES
        ? elements.get(FLOAT, index * Float.BYTES)
        : elements.get(DOUBLE, index * Double.BYTES);
  }

  private void add(int block, double element) {
    if (!Double.isFinite(element) || isMissing(element)) {
      return;
    }
    counts[block]++;
    double present = numbers[block];
    numbers[block] =
        switch (method) {
          case MEAN -> present + element;
          case MIN -> counts[block] == 1 ? element : Math.min(present, element);
          case MAX -> counts[block] == 1 ? element : Math.max(present, element);
          case FIRST -> counts[block] == 1 ? element : present;
        };
  }

  private boolean isMissing(double element) {
    return missing.isPresent()
        && (type.size() == Float.BYTES
            ? (float) missing.getAsDouble() == (float) element
            : missing.getAsDouble() == element);
  }
}
