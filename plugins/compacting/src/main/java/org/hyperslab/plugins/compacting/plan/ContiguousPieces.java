package org.hyperslab.plugins.compacting.plan;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * Combines pieces that are adjacent in memory into one segment, so that they need not be copied.
 *
 * <p>The pieces are native memory of one scope and cover the segment without a gap, so the segment
 * is accessible to the same threads and for the same time as the pieces. If native access is not
 * enabled for this module, pieces are never combined.
 *
 * <p>Thread rule: stateless.
 */
final class ContiguousPieces {

  private static final boolean POSSIBLE =
      ContiguousPieces.class.getModule().isNativeAccessEnabled();

  private ContiguousPieces() {}

  /**
   * Combines pieces that are adjacent in memory.
   *
   * @param pieces at least one piece
   * @return one segment that covers all pieces, or empty if they are not adjacent
   */
  static Optional<MemorySegment> of(List<RequestPiece> pieces) {
    if (pieces.size() == 1) {
      return Optional.of(pieces.getFirst().bytes());
    }
    RequestPiece first = pieces.getFirst();
    MemorySegment.Scope scope = first.request().buffer().scope();
    long end = address(first);
    for (RequestPiece piece : pieces) {
      MemorySegment buffer = piece.request().buffer();
      if (!buffer.isNative() || address(piece) != end || !buffer.scope().equals(scope)) {
        return Optional.empty();
      }
      end += piece.lengthBytes();
    }
    return POSSIBLE ? Optional.of(extend(first, end - address(first))) : Optional.empty();
  }

  private static long address(RequestPiece piece) {
    return piece.request().buffer().address() + piece.offsetBytes();
  }

  @SuppressWarnings("restricted") // the pieces behind the first cover the bytes
  private static MemorySegment extend(RequestPiece first, long bytes) {
    return first.bytes().reinterpret(bytes);
  }
}
