package org.hyperslab.web.slice;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.hyperslab.Slice;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.web.limit.RequestBudget;

/**
 * The elements of a slice as bytes, converted to a type without out-of-line parts.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class SliceBytes {

  private final Slice slice;
  private final Datatype type;
  private final RequestBudget budget;

  /**
   * Creates the bytes of a slice.
   *
   * @param slice the slice
   * @param type the type that is read
   * @param budget what reading may use
   */
  public SliceBytes(Slice slice, Datatype type, RequestBudget budget) {
    this.slice = slice;
    this.type = type.inMemory();
    this.budget = budget;
  }

  /** {@return the total number of bytes; the greatest long if it is more} */
  public long length() {
    return StridedBox.product(StridedBox.of(slice).elements(), type.size());
  }

  /**
   * {@return a range of the bytes, in order} Only the pieces that overlap the range are read, each
   * when it is asked for; its memory is held until it is sent.
   *
   * @param from the first byte
   * @param endExclusive the end of the range
   */
  Iterator<ByteBuffer> pieces(long from, long endExclusive) {
    return from >= endExclusive ? Collections.emptyIterator() : new Range(from, endExclusive);
  }

  private final class Range implements Iterator<ByteBuffer> {
    private final PieceReader reader = new PieceReader(slice, type, budget);
    private final long from;
    private final long end;
    private final long last;
    private long next;

    private Range(long from, long end) {
      this.from = from;
      this.end = end;
      this.next = reader.pieces().pieceOf(from / type.size());
      this.last = reader.pieces().pieceOf((end - 1) / type.size());
    }

    @Override
    public boolean hasNext() {
      return next <= last;
    }

    @Override
    public ByteBuffer next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      BoxPieces.Piece piece = reader.pieces().piece(next);
      long length = StridedBox.product(piece.box().elements(), type.size());
      budget.holdPiece(length);
      byte[] bytes = new byte[Math.toIntExact(length)];
      reader.read(piece, MemorySegment.ofArray(bytes), VlenHeap.none());
      next++;
      long first = piece.first() * type.size();
      int begin = (int) (Math.max(from, first) - first);
      int until = (int) (Math.min(end, first + bytes.length) - first);
      return ByteBuffer.wrap(bytes, begin, until - begin).slice();
    }
  }
}
