package org.hyperslab;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.model.Layout;

/**
 * Goes through a dataset in parts, without having all of it in memory.
 *
 * <p>Thread rule: any thread.
 */
final class DatasetParts {

  /** The size of what is read at a time, unless one row or one chunk is larger. */
  private static final long BYTES = 4 << 20;

  private final long[] dims;
  private final Layout layout;
  private final long elementBytes;

  /**
   * Creates the parts of a dataset.
   *
   * @param dims its shape in elements
   * @param layout how its elements are laid out
   * @param elementBytes the size of an element in memory
   */
  DatasetParts(long[] dims, Layout layout, long elementBytes) {
    this.dims = dims;
    this.layout = layout;
    this.elementBytes = elementBytes;
  }

  /** Reads the rows from a first one on. */
  interface RowReader {
    <T> T read(long first, long endExclusive, Class<T> type);
  }

  /** A part of the elements: its first element, and its shape. */
  record Box(long[] start, long[] count) {}

  /** Some rows, from a first one on. */
  record Rows(long first, long endExclusive) {
    <T> T read(RowReader reader, Class<T> type) {
      return reader.read(first, endExclusive, type);
    }
  }

  /** Returns the rows, of which some are read when the first of them is asked for. */
  <T> Stream<T> rows(Class<T> rowType, RowReader reader) {
    Arguments.require(rowType, "type of a row", "a class such as double[].class");
    if (dims.length == 0) {
      throw new InvalidUseException(
          "rows: actual=a scalar dataset, expected=rank 1 or more; use read()");
    }
    @SuppressWarnings("unchecked") // int.class is a Class<Integer>: boxed is T's own class
    Class<T> element = (Class<T>) Values.boxed(rowType);
    boolean flat = dims.length > 2 && element.isArray() && !element.componentType().isArray();
    return someRows()
        .flatMap(some -> flat ? flatRows(some, reader, element) : rowsOf(some, reader, element));
  }

  /** Returns all rows, some at a time. */
  Stream<Rows> someRows() {
    long atOnce = rowsAtOnce();
    return LongStream.iterate(0, first -> first < dims[0], first -> first + atOnce)
        .mapToObj(first -> new Rows(first, Math.min(dims[0], first + atOnce)));
  }

  private static <T> Stream<T> rowsOf(Rows rows, RowReader reader, Class<T> element) {
    @SuppressWarnings("unchecked") // the array type of T
    Class<T[]> all = (Class<T[]>) element.arrayType();
    return Arrays.stream(rows.read(reader, all));
  }

  /** Cuts the elements of some rows, which have several dimensions, into arrays of one each. */
  private static <T> Stream<T> flatRows(Rows rows, RowReader reader, Class<T> array) {
    T all = rows.read(reader, array);
    int count = (int) (rows.endExclusive - rows.first);
    int length = Array.getLength(all) / count;
    return IntStream.range(0, count)
        .mapToObj(i -> {
          T row = array.cast(Array.newInstance(array.componentType(), length));
          System.arraycopy(all, i * length, row, 0, length);
          return row;
        });
  }

  /**
   * Returns a number of rows of about the size that is read at a time; whole chunks if possible.
   */
  private long rowsAtOnce() {
    long rowBytes = elementBytes;
    for (int i = 1; i < dims.length; i++) {
      rowBytes = Math.multiplyExact(rowBytes, Math.max(1, dims[i]));
    }
    long rows = Math.max(1, BYTES / Math.max(1, rowBytes));
    long inChunk = layout instanceof Layout.Chunked chunked ? chunked.dims().getFirst() : 1;
    return rows < inChunk ? inChunk : rows - rows % inChunk;
  }

  /** Returns the part of each chunk that is within the extent. */
  Stream<Box> chunks() {
    if (!(layout instanceof Layout.Chunked chunked)) {
      throw new InvalidUseException(
          "chunks: actual=a dataset without chunks, expected=a chunked one; rows() goes through"
              + " datasets of every layout");
    }
    long[] chunk = chunked.dims().stream().mapToLong(Long::longValue).toArray();
    long[] counts = new long[dims.length];
    Arrays.setAll(counts, i -> Math.ceilDiv(dims[i], chunk[i]));
    return LongStream.range(0, Dataspace.simple(counts).elementCount())
        .mapToObj(number -> box(number, counts, chunk));
  }

  private Box box(long number, long[] counts, long[] chunk) {
    long[] start = new long[dims.length];
    long[] count = new long[dims.length];
    long rest = number;
    for (int i = dims.length - 1; i >= 0; i--) {
      start[i] = rest % counts[i] * chunk[i];
      count[i] = Math.min(chunk[i], dims[i] - start[i]);
      rest /= counts[i];
    }
    return new Box(start, count);
  }
}
