package org.hyperslab.tools.diff;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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

  /**
   * The number of bytes compared by one call. Short calls are many calls, and only what was called
   * often is compiled; a JVM that was just started would compare a few long pieces without the
   * processor's vector instructions.
   */
  private static final long BYTES_AT_ONCE = 1 << 12;

  /** The size from which on memory outside the heap is worth its allocation. */
  private static final long MIN_OUTSIDE_BYTES = 1 << 16;

  private static final long ALIGNMENT = 64;

  private final Dataset first;
  private final Dataset second;
  private final Datatype type;
  private long room;

  /**
   * Free buffers, kept because the system must supply and clear the pages of new memory. They are
   * outside the heap, where the system can put what it reads.
   */
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
    if (!areEqual(left.elements(), right.elements(), piece.count() * type.size())) {
      return new Pair(piece, left, right);
    }
    free.add(left);
    free.add(right);
    return new Pair(piece, null, null);
  }

  private static boolean areEqual(MemorySegment left, MemorySegment right, long bytes) {
    for (long at = 0; at < bytes; at += BYTES_AT_ONCE) {
      long end = Math.min(bytes, at + BYTES_AT_ONCE);
      if (MemorySegment.mismatch(left, at, end, right, at, end) >= 0) {
        return false;
      }
    }
    return true;
  }

  private DataBuffer read(Dataset dataset, DatasetPieces.Piece piece) {
    DataBuffer reused = free.poll();
    DataBuffer buffer = reused == null ? allocate() : reused;
    DatasetPieces.read(dataset, type, piece.selection(), piece.count(), buffer);
    return buffer;
  }

  private DataBuffer allocate() {
    long bytes = Math.multiplyExact(room, (long) type.size());
    return bytes < MIN_OUTSIDE_BYTES
        ? DataBuffer.allocate(type, room)
        : DataBuffer.of(Arena.ofAuto().allocate(bytes, ALIGNMENT));
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
