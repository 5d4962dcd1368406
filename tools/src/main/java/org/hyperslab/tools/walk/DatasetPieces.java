package org.hyperslab.tools.walk;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.hyperslab.Dataset;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * A dataspace, or a box of one, cut into smaller boxes of about a MiB, so that a dataset of any
 * size can be read in bounded memory.
 *
 * <p>Thread rule: immutable; an iterator is confined to one thread.
 */
public final class DatasetPieces implements Iterable<DatasetPieces.Piece> {

  /** The maximum size of a piece in bytes, unless it is a single element. */
  public static final long BYTES = 1 << 20;

  private final long[] origin;
  private final long[] dims;
  private final long[] box;

  private DatasetPieces(long[] origin, long[] dims, long[] box) {
    this.origin = origin;
    this.dims = dims;
    this.box = box;
  }

  /**
   * One of them.
   *
   * @param selection which elements it is
   * @param first how many elements come before it
   * @param count how many it has
   * @param last whether none comes after it
   */
  public record Piece(Selection selection, long first, long count, boolean last) {}

  /**
   * Cuts a dataspace into boxes that follow each other in row-major order.
   *
   * @param space the dataspace
   * @param elementBytes the size of an element
   * @return the boxes
   */
  public static DatasetPieces of(Dataspace space, int elementBytes) {
    long[] dims = space.kind() == Dataspace.Kind.NULL ? new long[] {0} : space.dims();
    long[] box = new long[dims.length];
    long left = Math.max(1, BYTES / elementBytes);
    for (int d = dims.length - 1; d >= 0; d--) {
      box[d] = Math.max(1, Math.min(dims[d], left));
      left = box[d] < dims[d] ? 1 : left / box[d];
    }
    return new DatasetPieces(new long[dims.length], dims, box);
  }

  /**
   * Cuts a box in the order in which h5dump prints it, which is row-major only where the pieces are
   * whole rows.
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
      box[d] = Math.min(dims[d], Math.max(1, BYTES / bytes));
      bytes = Math.multiplyExact(bytes, Math.max(1, box[d]));
    }
    return new DatasetPieces(origin, dims, box);
  }

  /** {@return the number of elements of the largest piece} */
  public long largest() {
    return Arrays.stream(box).reduce(1, Math::multiplyExact);
  }

  @Override
  public Iterator<Piece> iterator() {
    return new Cutting();
  }

  private final class Cutting implements Iterator<Piece> {
    private final long[] at = new long[dims.length];
    private final long total = Arrays.stream(dims).reduce(1, Math::multiplyExact);
    private long done;

    @Override
    public boolean hasNext() {
      return done < total;
    }

    @Override
    public Piece next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      if (dims.length == 0) {
        done = 1;
        return new Piece(Selection.all(), 0, 1, true);
      }
      long[] start = new long[dims.length];
      long[] size = new long[dims.length];
      long count = 1;
      for (int d = 0; d < dims.length; d++) {
        start[d] = origin[d] + at[d];
        size[d] = Math.min(box[d], dims[d] - at[d]);
        count *= size[d];
      }
      long first = done;
      done += count;
      advance(size);
      return new Piece(Selection.box(start, size), first, count, done >= total);
    }

    private void advance(long[] size) {
      for (int d = dims.length - 1; d >= 0; d--) {
        at[d] += size[d];
        if (at[d] < dims[d]) {
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
   * @param buffer receives the elements, and has room for them
   */
  public static void read(
      Dataset dataset, Datatype type, Selection from, long count, DataBuffer buffer) {
    Transfer transfer =
        new Transfer(type, Dataspace.simple(count), Selection.all(), from, TransferOptions.DEFAULT);
    try {
      dataset.readAsync(transfer, buffer).join();
    } catch (java.util.concurrent.CompletionException failure) {
      if (failure.getCause() instanceof org.hyperslab.error.HyperslabException known) {
        throw known;
      }
      throw failure;
    }
  }
}
