package org.hyperslab.web.grove;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.hyperslab.Memory;
import org.hyperslab.Slice;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.interchange.numpy.PlainTypes;
import org.hyperslab.web.limit.RequestBudget;
import org.hyperslab.web.slice.BoxPieces;
import org.hyperslab.web.slice.PieceReader;
import org.hyperslab.web.slice.PresentChunks;
import org.hyperslab.web.slice.StridedBox;

/**
 * One number for each block of a slice with steps: an index that the slice selects begins a block,
 * which ends before the next one or at the end of the dimension. All elements of the blocks are
 * read piece by piece, and only the numbers are held in memory. Elements that are not finite, or
 * equal to a given number, are left out; a block of nothing else is NaN. Of a dataset that was
 * mostly never written, only the chunks that are stored are read; the other elements are counted.
 *
 * <p>Thread rule: confined to one thread.
 */
final class ReducedSlice {

  /** The number of bytes of memory for one block: its number so far, and of how many elements. */
  private static final int BLOCK_BYTES = 3 * Long.BYTES;

  /** What is computed of a block. */
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

  /** The number that is left out; NaN, which equals none, if there is no such number. */
  private final double missing;

  private final RequestBudget budget;
  private final Datatype type;

  /** The indices that begin blocks: start, step and count of each dimension. */
  private final StridedBox blocks;

  private double[] numbers;
  private long[] counts;

  /** How many elements of each block were read, whether or not they are left out. */
  private long[] seen;

  /**
   * Creates a reduction.
   *
   * @param slice the slice, of numbers
   * @param selection its text, which holds the steps
   * @param method what is computed of a block
   * @param missing the number that is left out
   * @param budget what the request may use
   */
  ReducedSlice(
      Slice slice, String selection, Method method, OptionalDouble missing, RequestBudget budget) {
    this.slice = slice;
    this.method = method;
    this.budget = budget;
    this.type = type(slice);
    double left = missing.orElse(Double.NaN);
    this.missing = type.size() == Float.BYTES ? (float) left : left;
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
    ServedSelection served = ServedSelection.of(selection, box.step().length);
    long[] step = box.step().clone();
    for (int i = 0; i < step.length; i++) {
      step[i] = served.step(i, step[i]);
    }
    return new StridedBox(box.start(), step, box.count());
  }

  /** {@return the number of each block, in row-major order} */
  byte[] bytes() {
    int count = Math.toIntExact(blocks.elements());
    budget.hold((long) count * (BLOCK_BYTES + type.size()));
    numbers = new double[count];
    counts = new long[count];
    seen = new long[count];
    if (count > 0) {
      reduce();
    }
    ByteBuffer bytes = ByteBuffer.allocate(count * type.size()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      double divisor = method == Method.MEAN ? counts[i] : 1;
      double number = counts[i] == 0 ? Double.NaN : numbers[i] / divisor;
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

  private void reduce() {
    StridedBox covered = covered();
    Optional<PresentChunks> stored =
        method == Method.FIRST // which depends on the order
            ? Optional.empty()
            : PresentChunks.of(slice.dataset(), covered, budget);
    if (stored.isEmpty()) {
      read(covered);
      return;
    }
    for (long[] offset : stored.get().offsets()) {
      read(covered.within(offset, stored.get().chunk()));
    }
    if (Arrays.stream(seen).sum() < covered.elements()) {
      addFill(covered, fill(stored.get().unstored(covered)));
    }
  }

  /** Returns the fill value, by reading an element that is not stored. */
  private double fill(StridedBox one) {
    byte[] bytes = new byte[type.size()];
    slice
        .dataset()
        .readInto(one.selection(), Memory.of(MemorySegment.ofArray(bytes), type.inMemory(), 1));
    ByteBuffer number = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    return type.size() == Float.BYTES ? number.getFloat() : number.getDouble();
  }

  /** Adds to each block its elements that were not read, all of which are the fill value. */
  private void addFill(StridedBox covered, double fill) {
    if (!Double.isFinite(fill) || fill == missing) {
      return;
    }
    for (int block = 0; block < numbers.length; block++) {
      long unread = elements(covered, block) - seen[block];
      if (unread > 0) {
        double all = method == Method.MEAN ? unread * fill : fill;
        numbers[block] = counts[block] == 0 ? all : added(numbers[block], all);
        counts[block] += unread;
      }
    }
  }

  /** Returns how many elements a block has, which is cut at the ends of the dataset. */
  private long elements(StridedBox covered, int block) {
    long rest = block;
    long elements = 1;
    for (int axis = blocks.count().length - 1; axis >= 0; axis--) {
      long index = rest % blocks.count()[axis];
      rest /= blocks.count()[axis];
      long step = blocks.step()[axis];
      elements = StridedBox.product(elements, Math.min(step, covered.count()[axis] - index * step));
    }
    return elements;
  }

  private void read(StridedBox part) {
    PieceReader reader = new PieceReader(slice.dataset(), part, type.inMemory(), budget);
    BoxPieces pieces = reader.pieces();
    boolean isShort = type.size() == Float.BYTES;
    int length = 0;
    Object memory = new double[0];
    for (long i = 0; i < pieces.pieces(); i++) {
      BoxPieces.Piece piece = pieces.piece(i);
      int elements = Math.toIntExact(piece.box().elements());
      if (elements > length) {
        budget.hold((long) (elements - length) * type.size());
        memory = isShort ? new float[elements] : new double[elements];
        length = elements;
      }
      MemorySegment target =
          memory instanceof float[] floats
              ? MemorySegment.ofArray(floats)
              : MemorySegment.ofArray((double[]) memory);
      reader.read(piece, target.asSlice(0, (long) elements * type.size()), VlenHeap.none());
      add(piece.box(), memory);
    }
  }

  /** Adds the elements of a piece to their blocks, row by row. */
  private void add(StridedBox piece, Object elements) {
    int rank = piece.count().length;
    int row = rank == 0 ? 1 : Math.toIntExact(piece.count()[rank - 1]);
    long rows = row == 0 ? 0 : piece.elements() / row;
    double[] numbersOfRow = new double[row];
    for (int i = 0; i < rows; i++) {
      if (elements instanceof float[] floats) {
        int from = i * row;
        for (int j = 0; j < row; j++) {
          numbersOfRow[j] = floats[from + j];
        }
      } else {
        System.arraycopy(elements, i * row, numbersOfRow, 0, row);
      }
      if (rank == 0) {
        add(0, numbersOfRow, 0, 1);
      } else {
        addRow(firstBlock(piece, i), piece.start()[rank - 1], numbersOfRow);
      }
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

  private void addRow(long block, long column, double[] row) {
    int last = blocks.count().length - 1;
    long step = blocks.step()[last];
    long offset = column - blocks.start()[last];
    int done = 0;
    while (done < row.length) {
      int at = Math.toIntExact(block + (offset + done) / step);
      int end = (int) Math.min(row.length, done + step - (offset + done) % step);
      add(at, row, done, end);
      done = end;
    }
  }

  /** Adds elements of a row to their block. */
  private void add(int block, double[] row, int from, int end) {
    double number = numbers[block];
    long count = counts[block];
    for (int i = from; i < end; i++) {
      double element = row[i];
      if (Double.isFinite(element) && element != missing) {
        number = count++ == 0 ? element : added(number, element);
      }
    }
    numbers[block] = number;
    counts[block] = count;
    seen[block] += end - from;
  }

  private double added(double present, double element) {
    return switch (method) {
      case MEAN -> present + element;
      case MIN -> Math.min(present, element);
      case MAX -> Math.max(present, element);
      case FIRST -> present;
    };
  }
}
