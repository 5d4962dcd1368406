package org.hyperslab.tools.walk;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionException;
import org.hyperslab.Dataset;
import org.hyperslab.Memory;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.TransferOptions;

/**
 * A dataspace, or a box of one, divided into smaller boxes of about a MiB, so that a dataset of any
 * size can be read in bounded memory.
 *
 * <p>Thread rule: immutable; an iterator is confined to one thread.
 */
public final class DatasetPieces implements Iterable<DatasetPieces.Piece> {

  /** The maximum size of a piece in bytes, unless it is a single element. */
  public static final long BYTES = 1 << 20;

  /** The bytes that h5dump reads at a time, which determine the order of elements and of lines. */
  private static final long PRINTED_BYTES = 1 << 25;

  private final Box whole;
  private final List<long[]> sizes;

  /**
   * Divides a whole into boxes of two sizes.
   *
   * @param sizes the lengths of the boxes into which the whole is cut, and of those into which each
   *     of these is cut
   */
  private DatasetPieces(Box whole, List<long[]> sizes) {
    this.whole = whole;
    this.sizes = sizes;
  }

  /**
   * One of them.
   *
   * @param selection which elements it is
   * @param first how many elements come before it
   * @param count how many it has
   * @param begins whether h5dump begins to read anew with it
   * @param last whether none comes after it
   */
  public record Piece(Selection selection, long first, long count, boolean begins, boolean last) {}

  /** A box by its lowest indices and its lengths, and how many elements come before it. */
  private record Box(long[] start, long[] size, long first) {
    long count() {
      return Dataspace.product(size);
    }
  }

  /**
   * Divides a dataspace into consecutive boxes in row-major order.
   *
   * @param space the dataspace
   * @param elementBytes the size of an element
   * @return the boxes
   */
  public static DatasetPieces of(Dataspace space, int elementBytes) {
    long[] dims = space.kind() == Dataspace.Kind.NULL ? new long[] {0} : space.dims();
    return new DatasetPieces(
        new Box(new long[dims.length], dims, 0), List.of(rowMajor(dims, elementBytes)));
  }

  /**
   * Cuts a box in the order in which h5dump prints it, which is row-major only where it reads whole
   * rows at a time.
   *
   * @param origin its lowest indices
   * @param dims its lengths; empty for a scalar
   * @param elementBytes the size of an element
   * @return the pieces
   */
  public static DatasetPieces asPrinted(long[] origin, long[] dims, long elementBytes) {
    long[] box = new long[dims.length];
    long bytes = elementBytes;
    for (int d = dims.length - 1; d >= 0; d--) {
      box[d] = Math.min(dims[d], Math.max(1, PRINTED_BYTES / bytes));
      bytes = Math.multiplyExact(bytes, Math.max(1, box[d]));
    }
    return new DatasetPieces(new Box(origin, dims, 0), List.of(box, rowMajor(box, elementBytes)));
  }

  private static long[] rowMajor(long[] dims, long elementBytes) {
    long[] box = new long[dims.length];
    long left = Math.max(1, BYTES / elementBytes);
    for (int d = dims.length - 1; d >= 0; d--) {
      box[d] = Math.max(1, Math.min(dims[d], left));
      left = box[d] < dims[d] ? 1 : left / box[d];
    }
    return box;
  }

  /** {@return the number of elements of the largest piece} */
  public long largest() {
    return Dataspace.product(sizes.getLast());
  }

  @Override
  public Iterator<Piece> iterator() {
    return new Pieces();
  }

  /** The pieces of each box, one box after the other. */
  private final class Pieces implements Iterator<Piece> {
    private final long total = whole.count();
    private final Cutting outer = new Cutting(whole, sizes.getFirst());
    private Cutting inner;

    @Override
    public boolean hasNext() {
      return outer.hasNext() || (inner != null && inner.hasNext());
    }

    @Override
    public Piece next() {
      boolean begins = inner == null || !inner.hasNext();
      if (begins) {
        inner = new Cutting(outer.next(), sizes.getLast());
      }
      Box box = inner.next();
      Selection selection =
          box.size.length == 0 ? Selection.all() : Selection.box(box.start, box.size);
      long count = box.count();
      return new Piece(selection, box.first, count, begins, box.first + count >= total);
    }
  }

  /** A box cut into boxes of one size, smaller at its ends. */
  private static final class Cutting implements Iterator<Box> {
    private final Box whole;
    private final long[] size;
    private final long[] at;
    private final long end;
    private long done;

    Cutting(Box whole, long[] size) {
      this.whole = whole;
      this.size = size;
      this.at = new long[size.length];
      this.done = whole.first;
      this.end = whole.first + whole.count();
    }

    @Override
    public boolean hasNext() {
      return done < end;
    }

    @Override
    public Box next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      long[] start = new long[size.length];
      long[] part = new long[size.length];
      for (int d = 0; d < size.length; d++) {
        start[d] = whole.start[d] + at[d];
        part[d] = Math.min(size[d], whole.size[d] - at[d]);
      }
      Box box = new Box(start, part, done);
      done += box.count();
      advance(part);
      return box;
    }

    private void advance(long[] part) {
      for (int d = part.length - 1; d >= 0; d--) {
        at[d] += part[d];
        if (at[d] < whole.size[d]) {
          return;
        }
        at[d] = 0;
      }
    }
  }

  /**
   * Reads selected elements.
   *
   * @param dataset the dataset
   * @param type the type in memory
   * @param from the selection
   * @param count the number of selected elements
   * @return the elements
   */
  public static DataBuffer read(Dataset dataset, Datatype type, Selection from, long count) {
    DataBuffer buffer = DataBuffer.allocate(type, count);
    read(dataset, type, from, count, buffer);
    return buffer;
  }

  /**
   * Reads selected elements into a buffer.
   *
   * @param dataset the dataset
   * @param type the type in memory
   * @param from the selection
   * @param count the number of selected elements
   * @param buffer receives the elements; must have room for them
   */
  public static void read(
      Dataset dataset, Datatype type, Selection from, long count, DataBuffer buffer) {
    Memory memory = new Memory(type, Dataspace.simple(count), Selection.all(), buffer);
    try {
      dataset.readIntoAsync(from, memory, TransferOptions.DEFAULT).join();
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof HyperslabException known) {
        throw known;
      }
      throw failure;
    }
  }
}
