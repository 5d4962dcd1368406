package org.hyperslab.tools.pieces;

import org.hyperslab.Dataset;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * A dataspace cut into boxes of about a MiB of elements that follow each other in row-major order,
 * so that a dataset of any size can be read in bounded memory.
 *
 * <p>Thread rule: immutable.
 */
public final class Pieces {

  private static final long PIECE_BYTES = 1 << 20;

  private final long[] dims;
  private final long[] box;

  private Pieces(long[] dims, long[] box) {
    this.dims = dims;
    this.box = box;
  }

  /** Hears of each piece in turn. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * One piece.
     *
     * @param box which elements it is
     * @param first the row-major position of its first element
     * @param count how many elements it has
     * @return whether to go on
     */
    boolean piece(Selection box, long first, long count);
  }

  /** The pieces of a dataspace whose elements are of a size in bytes. */
  public static Pieces of(Dataspace space, int elementBytes) {
    long[] dims = space.dims();
    long[] box = new long[dims.length];
    long left = Math.max(1, PIECE_BYTES / elementBytes);
    for (int d = dims.length - 1; d >= 0; d--) {
      box[d] = Math.max(1, Math.min(dims[d], left));
      left = box[d] < dims[d] ? 1 : left / box[d];
    }
    return new Pieces(space.kind() == Dataspace.Kind.NULL ? new long[] {0} : dims, box);
  }

  /** Shows every piece to a visitor until it has enough. */
  public void forEach(Visitor visitor) {
    if (dims.length == 0) {
      visitor.piece(Selection.all(), 0, 1);
      return;
    }
    long total = 1;
    for (long length : dims) {
      total = Math.multiplyExact(total, length);
    }
    long[] start = new long[dims.length];
    for (long done = 0; done < total; ) {
      long[] size = new long[dims.length];
      long elements = 1;
      for (int d = 0; d < dims.length; d++) {
        size[d] = Math.min(box[d], dims[d] - start[d]);
        elements *= size[d];
      }
      if (!visitor.piece(Selection.box(start, size), done, elements)) {
        return;
      }
      done += elements;
      advance(start, size);
    }
  }

  private void advance(long[] start, long[] size) {
    for (int d = dims.length - 1; d >= 0; d--) {
      start[d] += size[d];
      if (start[d] < dims[d]) {
        return;
      }
      start[d] = 0;
    }
  }

  /** Reads selected elements in the memory form of a type. */
  public static DataBuffer read(Dataset dataset, Datatype type, Selection from, long count) {
    DataBuffer buffer = DataBuffer.allocate(type, count);
    read(dataset, type, from, count, buffer);
    return buffer;
  }

  /** As the other, into a buffer that has room for them. */
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
