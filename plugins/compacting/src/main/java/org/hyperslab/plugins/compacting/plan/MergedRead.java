package org.hyperslab.plugins.compacting.plan;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * One read from the storage, and the destinations of its elements. Elements that several requests
 * ask for are read once and copied several times. The lists must not be modified.
 *
 * @param key the dataset
 * @param region the elements to read
 * @param kind the type of the elements in memory
 * @param targets the destinations that parts of the elements are copied to
 * @param sources the requests that the targets belong to, in the order of arrival
 */
public record MergedRead(
    DataKey key, Region region, ElementKind kind, List<Target> targets, List<ReadRequest> sources) {

  /**
   * A destination of a part of the elements.
   *
   * @param fromBytes the offset of the part, in bytes, among the elements of the region in the
   *     order of transfer
   * @param piece the part of a request's buffer that receives it
   */
  public record Target(long fromBytes, RequestPiece piece) {}

  /**
   * Returns the merged read that carries out a request unchanged.
   *
   * @param read the request
   * @return the merged read
   */
  public static MergedRead of(ReadRequest read) {
    RequestPiece whole = new RequestPiece(read, 0, read.bytes());
    return new MergedRead(
        read.key(), read.region(), read.kind(), List.of(new Target(0, whole)), List.of(read));
  }

  /**
   * Returns a read of the same region that fills the buffer of one source only.
   *
   * @param source one of the sources
   * @return the read for that source
   */
  public MergedRead only(ReadRequest source) {
    List<Target> its =
        targets.stream().filter(target -> target.piece().request() == source).toList();
    return new MergedRead(key, region, kind, its, List.of(source));
  }

  /** {@return the number of bytes read} */
  public long bytes() {
    return region.elements() * kind.bytes();
  }

  /** {@return whether all elements go to a single destination, so that no copy is needed} */
  public boolean isContiguous() {
    return targets.size() == 1
        && targets.getFirst().fromBytes() == 0
        && targets.getFirst().piece().lengthBytes() == bytes();
  }

  /**
   * Copies the elements to the buffers of the sources.
   *
   * @param source the elements of the region, read in the order of transfer
   */
  public void scatter(MemorySegment source) {
    for (Target target : targets) {
      RequestPiece piece = target.piece();
      MemorySegment.copy(
          source,
          target.fromBytes(),
          piece.request().buffer(),
          piece.offsetBytes(),
          piece.lengthBytes());
    }
  }
}
