package org.hyperslab.web;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.hyperslab.Dataset;
import org.hyperslab.Memory;
import org.hyperslab.Slice;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.Layout;

/**
 * Reads the elements of a slice piece by piece, converted to a type without out-of-line parts.
 *
 * <p>Thread rule: any thread.
 */
final class SliceBytes {

  /** The size of a piece in bytes. */
  private static final long PIECE_BYTES = 8L << 20;

  private final Dataset dataset;
  private final Datatype type;
  private final BoxPieces pieces;

  /**
   * Creates a reader of a slice.
   *
   * @param slice the slice
   * @param type the type that is read
   */
  SliceBytes(Slice slice, Datatype type) {
    this.dataset = slice.dataset();
    this.type = type.inMemory();
    long most = Math.max(1, PIECE_BYTES / this.type.size());
    this.pieces = slice.elementCount() == 0 ? null : BoxPieces.of(slice, chunk(dataset), most);
  }

  private static long[] chunk(Dataset dataset) {
    return dataset.options().layout() instanceof Layout.Chunked chunked
        ? chunked.dimsArray()
        : new long[0];
  }

  /** {@return the total number of bytes} */
  long length() {
    return pieces == null ? 0 : Math.multiplyExact(pieces.elements(), (long) type.size());
  }

  /** {@return the number of pieces} */
  long pieces() {
    return pieces == null ? 0 : pieces.pieces();
  }

  /**
   * {@return the elements of a piece}
   *
   * @param number the index of the piece, from 0
   */
  byte[] read(long number) {
    BoxPieces.Piece piece = pieces.piece(number);
    byte[] bytes =
        new byte[Math.toIntExact(Math.multiplyExact(piece.elements(), (long) type.size()))];
    dataset.readInto(
        piece.selection(), Memory.of(MemorySegment.ofArray(bytes), type, piece.elements()));
    return bytes;
  }

  /**
   * {@return the numbers of a piece, if the type is that of doubles in little-endian order}
   *
   * @param number the index of the piece, from 0
   */
  double[] readDoubles(long number) {
    return MemorySegment.ofArray(read(number))
        .toArray(ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN));
  }

  /** Receives bytes. */
  @FunctionalInterface
  interface Receiver {

    /**
     * Takes the next bytes.
     *
     * @param bytes the bytes
     * @param offset the index of the first of them
     * @param count the number of bytes
     */
    void accept(byte[] bytes, int offset, int count);
  }

  /**
   * Reads a range of the bytes. Only the pieces that overlap the range are read.
   *
   * @param from the first byte
   * @param endExclusive the end of the range
   * @param receiver receives the bytes in order
   */
  void read(long from, long endExclusive, Receiver receiver) {
    if (from >= endExclusive) {
      return;
    }
    long last = pieces.pieceOf((endExclusive - 1) / type.size());
    for (long i = pieces.pieceOf(from / type.size()); i <= last; i++) {
      long first = pieces.piece(i).first() * type.size();
      byte[] bytes = read(i);
      long begin = Math.max(from, first);
      long end = Math.min(endExclusive, first + bytes.length);
      receiver.accept(bytes, (int) (begin - first), (int) (end - begin));
    }
  }
}
