package org.hyperslab.plugins.compacting;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * One write for the storage: the pieces, one behind the other, are the elements of the region in
 * the order of transfer.
 *
 * @param key the dataset
 * @param region which elements
 * @param kind what elements
 * @param pieces where they are
 * @param sources the requests that the pieces come from, in the order of arrival; several merged
 *     writes in a row have the same list where one would have been too large
 */
public record MergedWrite(
    DataKey key, Region region, ElementKind kind, List<Piece> pieces, List<WriteRequest> sources) {

  /** Copies nothing: the lists must not change. */
  public MergedWrite {}

  /** The bytes written. */
  public long bytes() {
    return region.elements() * kind.bytes();
  }

  /** The elements where they are, if they lie one behind the other, so that no copy is needed. */
  public Optional<MemorySegment> inPlace() {
    return Adjoining.of(pieces);
  }

  /** Copies the pieces one behind the other; {@code target} has at least {@link #bytes}. */
  public void gather(MemorySegment target) {
    long at = 0;
    for (Piece piece : pieces) {
      MemorySegment.copy(
          piece.request().buffer(), piece.offsetBytes(), target, at, piece.lengthBytes());
      at += piece.lengthBytes();
    }
  }
}
