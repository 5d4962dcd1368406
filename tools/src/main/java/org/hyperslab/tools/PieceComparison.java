package org.hyperslab.tools;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.hyperslab.Dataset;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.tools.walk.DatasetPieces;
import org.hyperslab.tools.walk.OrderedTasks;

/**
 * Compares two datasets of a type for which equal bytes are equal values. Several threads read
 * pieces of both and compare bytes; only pieces that differ are compared element by element, in
 * order.
 *
 * <p>Thread rule: confined to one thread.
 */
final class PieceComparison {

  private final Dataset first;
  private final Dataset second;
  private final Datatype type;
  private long room;

  /** Free buffers, kept because reusing memory is much faster than touching new memory. */
  private final Queue<DataBuffer> free = new ConcurrentLinkedQueue<>();

  /** Creates a comparison of datasets whose elements have this type in memory. */
  PieceComparison(Dataset first, Dataset second, Datatype type) {
    this.first = first;
    this.second = second;
    this.type = type;
  }

  /** A piece of both datasets; the buffers are null if the pieces are equal. */
  private record Pair(DatasetPieces.Piece piece, DataBuffer left, DataBuffer right) {}

  /** Compares piece by piece until enough differences are found. */
  void run(DatasetPieces pieces, ElementDiff elements) {
    room = pieces.largest();
    OrderedTasks.run(pieces, this::read, pair -> isContinued(pair, elements));
  }

  private Pair read(DatasetPieces.Piece piece) {
    DataBuffer left = read(first, piece);
    DataBuffer right = read(second, piece);
    long bytes = piece.count() * type.size();
    if (left.elements().asSlice(0, bytes).mismatch(right.elements().asSlice(0, bytes)) >= 0) {
      return new Pair(piece, left, right);
    }
    free.add(left);
    free.add(right);
    return new Pair(piece, null, null);
  }

  private DataBuffer read(Dataset dataset, DatasetPieces.Piece piece) {
    DataBuffer reused = free.poll();
    DataBuffer buffer = reused == null ? DataBuffer.allocate(type, room) : reused;
    DatasetPieces.read(dataset, type, piece.selection(), piece.count(), buffer);
    return buffer;
  }

  private boolean isContinued(Pair pair, ElementDiff elements) {
    if (pair.left == null) {
      return true;
    }
    DatasetPieces.Piece piece = pair.piece;
    boolean more = elements.piece(type, pair.left, type, pair.right, piece.first(), piece.count());
    free.add(pair.left);
    free.add(pair.right);
    return more;
  }
}
