package org.hyperslab;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A dataset that steps append to: its rows that wait in memory, and how many rows it has. Rows of
 * one type in memory are collected in one array, so that many appended values become one write.
 *
 * <p>Thread rule: confined to the holder of the lock of {@link StepWriter}.
 */
final class StepColumn {

  private static final int LEAST_BYTES = 256;

  /**
   * Writes are complete before their step is published, also where the program wants early answers.
   */
  private static final TransferOptions APPLIED =
      TransferOptions.DEFAULT.withProperty("acknowledge", "applied");

  private final String path;
  private final Handle handle;
  private final Datatype type;
  private final long[] row;
  private final long chunkBytes;

  /** The rows at the end of the last step that has ended. */
  private long ended;

  /** The rows with those of the present step. */
  private long rows;

  /** The rows that were passed on to the connector. */
  private long passed;

  /** The length of dimension 0 in the file. */
  private long extent;

  private List<Piece> pieces = new ArrayList<>();

  /** Rows that follow each other, of one type in memory. */
  private static final class Piece {
    private final Datatype type;
    private final long first;
    private long count;
    private byte[] elements = {};
    private int length;
    private @Nullable List<String> texts;
    private @Nullable Memory whole;

    private Piece(Datatype type, long first) {
      this.type = type;
      this.first = first;
    }

    private void add(MemorySegment source, int bytes, long more) {
      if (elements.length - length < bytes) {
        int room = Math.max(2 * elements.length, length + bytes);
        elements = Arrays.copyOf(elements, Math.max(LEAST_BYTES, room));
      }
      MemorySegment.copy(source, 0, MemorySegment.ofArray(elements), length, bytes);
      length += bytes;
      count += more;
    }
  }

  /**
   * Creates the column of an open dataset.
   *
   * @param path its path, for messages
   */
  StepColumn(String path, Handle handle, DatasetInfo info) {
    this.path = path;
    this.handle = handle;
    this.type = info.type();
    long[] dims = info.space().dims();
    this.row = Arrays.copyOfRange(dims, 1, dims.length);
    this.extent = dims[0];
    this.ended = extent;
    this.rows = extent;
    this.passed = extent;
    long elements = 1;
    if (info.options().layout() instanceof Layout.Chunked chunked) {
      for (long length : chunked.dims()) {
        elements *= length;
      }
    }
    this.chunkBytes = elements * type.memorySize();
  }

  String path() {
    return path;
  }

  Handle handle() {
    return handle;
  }

  Datatype type() {
    return type;
  }

  long rows() {
    return rows;
  }

  boolean isWaiting() {
    return !pieces.isEmpty();
  }

  /** Returns the shape of the dataset with the rows of the present step. */
  long[] shape() {
    long[] dims = new long[row.length + 1];
    dims[0] = rows;
    System.arraycopy(row, 0, dims, 1, row.length);
    return dims;
  }

  /** Returns whether rows are worth a write of their own, without a copy. */
  boolean isLarge(Memory memory) {
    long bytes = memory.data().elements().byteSize();
    return bytes >= chunkBytes && bytes >= 1 << 16;
  }

  /**
   * Adds rows that wait, and returns the bytes of memory that they take.
   *
   * @param memory the rows, which are copied unless they refer to a heap
   * @param count the number of rows
   */
  long add(Memory memory, long count) {
    Piece piece;
    long bytes = memory.data().elements().byteSize();
    boolean packed =
        !memory.type().hasOutOfLineParts()
            && memory.isWhole()
            && bytes == memory.space().elementCount() * memory.type().memorySize();
    if (packed) {
      piece = last(memory.type());
      if (piece == null || piece.whole != null || piece.texts != null || isFull(piece, bytes)) {
        piece = begin(memory.type());
      }
      piece.add(memory.data().elements(), (int) bytes, count);
    } else {
      piece = begin(memory.type());
      piece.whole = memory;
      piece.count = count;
      bytes += memory.data().heap().size();
    }
    rows += count;
    return bytes;
  }

  private static boolean isFull(Piece piece, long more) {
    return piece.length + more > 1 << 30;
  }

  /** Returns whether texts can be collected as they are. */
  boolean takesTexts() {
    return type instanceof VlenStringType && row.length == 0;
  }

  /** Adds a text that waits; returns about the bytes of memory that it takes. */
  long add(String text) {
    Piece piece = last(type);
    List<String> texts = piece == null ? null : piece.texts;
    if (piece == null || texts == null) {
      piece = begin(type);
      texts = new ArrayList<>();
      piece.texts = texts;
    }
    texts.add(text);
    piece.count++;
    rows++;
    return 64 + 2L * text.length();
  }

  private @Nullable Piece last(Datatype memoryType) {
    Piece last = pieces.isEmpty() ? null : pieces.getLast();
    return last != null && last.type.equals(memoryType) ? last : null;
  }

  private Piece begin(Datatype memoryType) {
    Piece piece = new Piece(memoryType, rows);
    pieces.add(piece);
    return piece;
  }

  /** Takes the rows that wait, as writes in the order of their rows. */
  List<DatasetOperation.Write> take() {
    List<DatasetOperation.Write> writes = new ArrayList<>(pieces.size());
    for (Piece piece : pieces) {
      writes.add(write(memory(piece), piece.first, piece.count));
    }
    pieces = new ArrayList<>();
    passed = rows;
    return writes;
  }

  private Memory memory(Piece piece) {
    if (piece.texts != null) {
      return Memory.of(piece.texts.toArray(String[]::new), type);
    }
    if (piece.whole != null) {
      return piece.whole;
    }
    return new Memory(
        piece.type,
        Dataspace.simple(count(piece.count)),
        Selection.all(),
        DataBuffer.of(MemorySegment.ofArray(piece.elements).asSlice(0, piece.length)));
  }

  /** Returns the write of rows that do not wait, which are counted. Nothing waits. */
  DatasetOperation.Write direct(Memory memory, long count) {
    DatasetOperation.Write write = write(memory, rows, count);
    rows += count;
    passed = rows;
    return write;
  }

  private DatasetOperation.Write write(Memory memory, long first, long count) {
    long[] start = new long[row.length + 1];
    start[0] = first;
    Transfer transfer = memory.transfer(Selection.box(start, count(count)), APPLIED);
    return new DatasetOperation.Write(handle, transfer, memory.data());
  }

  private long[] count(long number) {
    long[] count = new long[row.length + 1];
    count[0] = number;
    System.arraycopy(row, 0, count, 1, row.length);
    return count;
  }

  /** Returns the extent to set before the rows are written, or null if it is large enough. */
  DatasetOperation.@Nullable SetExtent extension() {
    if (rows <= extent) {
      return null;
    }
    extent = rows;
    return new DatasetOperation.SetExtent(handle, Arrays.stream(shape()).boxed().toList());
  }

  /**
   * Records that the program sets the extent in the present step. Nothing waits.
   *
   * @return whether the dataset has to be made longer in the file
   * @throws InvalidUseException if rows of ended steps would be cut off, or rows change their shape
   */
  boolean setExtent(List<Long> dims) {
    long[] wanted = dims.stream().mapToLong(Long::longValue).toArray();
    boolean fits =
        wanted.length == row.length + 1
            && Arrays.equals(wanted, 1, wanted.length, row, 0, row.length)
            && wanted[0] >= ended;
    if (!fits) {
      throw new InvalidUseException(
          "extent in a step: actual="
              + dims
              + ", expected="
              + ended
              + " or more rows of shape "
              + Arrays.toString(row));
    }
    boolean grows = wanted[0] > extent;
    extent = Math.max(extent, wanted[0]);
    rows = wanted[0];
    passed = rows;
    return grows;
  }

  /** Ends the step; returns the rows at its end. */
  long end() {
    ended = rows;
    return ended;
  }

  /** Drops the rows of the present step, also those that were passed on. */
  void abandon() {
    rows = ended;
    passed = Math.min(passed, ended);
    for (int i = pieces.size() - 1;
        i >= 0 && pieces.get(i).first + pieces.get(i).count > ended;
        i--) {
      Piece piece = pieces.get(i);
      if (piece.first >= ended) {
        pieces.remove(i);
      } else if (piece.texts != null) {
        piece.count = ended - piece.first;
        piece.texts = new ArrayList<>(piece.texts.subList(0, (int) piece.count));
      } else {
        piece.length = (int) (piece.length / piece.count * (ended - piece.first));
        piece.count = ended - piece.first;
      }
    }
  }
}
