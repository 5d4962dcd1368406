package org.hyperslab.plugins.compacting;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * Sees pieces that lie one behind the other in memory as one segment, so that they need not be
 * copied together.
 *
 * <p>The pieces are native memory of the same scope and cover the segment without a gap: whoever
 * may use all of them may use it, for as long. Where this module may not make segments, there are
 * none to be had.
 *
 * <p>Thread rule: stateless.
 */
final class Adjoining {

  private static final boolean POSSIBLE = Adjoining.class.getModule().isNativeAccessEnabled();

  private Adjoining() {}

  /** All the pieces, at least one, as one segment; empty if they do not lie so. */
  static Optional<MemorySegment> of(List<Piece> pieces) {
    if (pieces.size() == 1) {
      return Optional.of(pieces.getFirst().bytes());
    }
    Piece first = pieces.getFirst();
    MemorySegment.Scope scope = first.request().buffer().scope();
    long end = address(first);
    for (Piece piece : pieces) {
      MemorySegment buffer = piece.request().buffer();
      if (!buffer.isNative() || address(piece) != end || !buffer.scope().equals(scope)) {
        return Optional.empty();
      }
      end += piece.lengthBytes();
    }
    return POSSIBLE ? Optional.of(from(first, end - address(first))) : Optional.empty();
  }

  private static long address(Piece piece) {
    return piece.request().buffer().address() + piece.offsetBytes();
  }

  /** What begins with a piece; its scope stays that of the piece. */
  @SuppressWarnings("restricted") // the caller has seen to it that all of it is there
  private static MemorySegment from(Piece first, long bytes) {
    return first.bytes().reinterpret(bytes);
  }
}
