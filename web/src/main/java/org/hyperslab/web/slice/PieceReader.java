package org.hyperslab.web.slice;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.hyperslab.Dataset;
import org.hyperslab.Memory;
import org.hyperslab.Slice;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.web.limit.RequestBudget;

/**
 * Reads the elements of a slice piece by piece, within a request's budget. A piece of which nothing
 * is stored is not read, but filled with the fill value.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class PieceReader {

  /** The size of a piece in bytes. */
  private static final long PIECE_BYTES = 8L << 20;

  private final Dataset dataset;
  private final Datatype type;
  private final BoxPieces pieces;
  private final Optional<PresentChunks> stored;
  private final RequestBudget budget;

  /** The element of the fill value; null until it is needed. */
  private byte[] fill;

  /**
   * Creates a reader.
   *
   * @param slice the slice, which is not empty
   * @param type the type that is read, in memory
   * @param budget what reading may use
   */
  public PieceReader(Slice slice, Datatype type, RequestBudget budget) {
    this(slice.dataset(), StridedBox.of(slice), type, budget);
  }

  /**
   * Creates a reader of a part of a dataset.
   *
   * @param dataset the dataset
   * @param box the part, which is not empty
   * @param type the type that is read, in memory
   * @param budget what reading may use
   */
  public PieceReader(Dataset dataset, StridedBox box, Datatype type, RequestBudget budget) {
    this.dataset = dataset;
    this.type = type;
    this.budget = budget;
    this.pieces = BoxPieces.of(box, PresentChunks.chunk(dataset), mostElements(type));
    this.stored =
        type.hasOutOfLineParts()
            ? Optional.empty()
            : PresentChunks.of(dataset, pieces.box(), budget);
  }

  /** {@return how many elements of a type a piece has at most} */
  public static long mostElements(Datatype type) {
    return Math.max(1, PIECE_BYTES / type.size());
  }

  /** {@return the pieces that it reads} */
  public BoxPieces pieces() {
    return pieces;
  }

  /**
   * Reads all elements.
   *
   * @param target receives the elements, and what is stored beside them
   */
  public void readAll(DataBuffer target) {
    for (long i = 0; i < pieces.pieces(); i++) {
      BoxPieces.Piece piece = pieces.piece(i);
      MemorySegment part =
          target
              .elements()
              .asSlice(piece.first() * type.size(), piece.box().elements() * type.size());
      read(piece, part, target.heap());
    }
  }

  /**
   * Reads a piece.
   *
   * @param piece the piece
   * @param target receives the elements
   * @param heap receives what is stored beside them
   */
  public void read(BoxPieces.Piece piece, MemorySegment target, VlenHeap heap) {
    long elements = piece.box().elements();
    budget.spend(elements);
    if (stored.isPresent() && !stored.get().meets(piece.box())) {
      fill(target, piece.box());
    } else {
      read(piece.box().selection(), elements, target, heap);
    }
  }

  private void read(Selection selection, long elements, MemorySegment target, VlenHeap heap) {
    Dataspace space = Dataspace.simple(elements);
    dataset.readInto(
        selection, new Memory(type, space, Selection.all(), new DataBuffer(target, heap)));
  }

  private void fill(MemorySegment target, StridedBox box) {
    if (fill == null) {
      byte[] one = new byte[type.size()];
      read(box.firstElement(), 1, MemorySegment.ofArray(one), VlenHeap.none());
      fill = one;
    }
    MemorySegment.copy(MemorySegment.ofArray(fill), 0, target, 0, fill.length);
    for (long done = fill.length; done < target.byteSize(); done *= 2) {
      long part = Math.min(done, target.byteSize() - done);
      MemorySegment.copy(target, 0, target, done, part);
    }
  }
}
