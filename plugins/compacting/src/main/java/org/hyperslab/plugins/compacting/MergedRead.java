package org.hyperslab.plugins.compacting;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * One read for the storage, and where its elements go. Requests that overlap each other take the
 * same elements several times.
 *
 * @param key the dataset
 * @param region which elements
 * @param kind what elements
 * @param targets where parts of them go
 * @param sources the requests that the targets belong to, in the order of arrival
 */
public record MergedRead(
    DataKey key, Region region, ElementKind kind, List<Target> targets, List<ReadRequest> sources) {

  /**
   * Where a part of the elements goes.
   *
   * @param fromBytes where the part begins among the bytes of the region in the order of transfer
   * @param piece where it goes
   */
  public record Target(long fromBytes, Piece piece) {}

  /** The same for one of the sources: all that is read, of which the others take nothing. */
  MergedRead only(ReadRequest source) {
    List<Target> its =
        targets.stream().filter(target -> target.piece().request() == source).toList();
    return new MergedRead(key, region, kind, its, List.of(source));
  }

  /** The bytes read. */
  public long bytes() {
    return region.elements() * kind.bytes();
  }

  /** Whether the elements all go to one place, so that no copy is needed. */
  public boolean isContiguous() {
    return targets.size() == 1
        && targets.getFirst().fromBytes() == 0
        && targets.getFirst().piece().lengthBytes() == bytes();
  }

  /** Copies the elements of the region, read in the order of transfer, to where they go. */
  public void scatter(MemorySegment source) {
    for (Target target : targets) {
      Piece piece = target.piece();
      MemorySegment.copy(
          source,
          target.fromBytes(),
          piece.request().buffer(),
          piece.offsetBytes(),
          piece.lengthBytes());
    }
  }
}
