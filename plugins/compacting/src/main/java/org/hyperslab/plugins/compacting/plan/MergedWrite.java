package org.hyperslab.plugins.compacting.plan;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * One write to the storage. The pieces, concatenated, are the elements of the region in the order
 * of transfer. The lists must not be modified.
 *
 * @param key the dataset
 * @param region the elements to write
 * @param kind the type of the elements in memory
 * @param pieces the parts of the sources' buffers that hold the elements
 * @param sources the requests that the pieces belong to, in the order of arrival. Consecutive
 *     merged writes share one list when a single merged write would have been too large
 */
public record MergedWrite(
    DataKey key,
    Region region,
    ElementKind kind,
    List<RequestPiece> pieces,
    List<WriteRequest> sources) {

  /**
   * Returns the merged write that carries out a request unchanged.
   *
   * @param write the request
   * @return the merged write
   */
  public static MergedWrite of(WriteRequest write) {
    return new MergedWrite(
        write.key(),
        write.region(),
        write.kind(),
        List.of(new RequestPiece(write, 0, write.bytes())),
        List.of(write));
  }

  /** {@return the number of bytes written} */
  public long bytes() {
    return region.elements() * kind.bytes();
  }

  /**
   * Returns the elements as one segment of memory if the pieces are adjacent, so that no copy is
   * needed.
   *
   * @return the segment, or empty if the pieces are not adjacent
   */
  public Optional<MemorySegment> inPlace() {
    return ContiguousPieces.of(pieces);
  }

  /**
   * Copies the pieces into one buffer.
   *
   * @param target receives the elements in the order of transfer; at least {@link #bytes} long
   */
  public void gather(MemorySegment target) {
    long at = 0;
    for (RequestPiece piece : pieces) {
      MemorySegment.copy(
          piece.request().buffer(), piece.offsetBytes(), target, at, piece.lengthBytes());
      at += piece.lengthBytes();
    }
  }
}
