package org.hyperslab.plugins.compacting;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * What is to be done for a batch of requests on one dataset: a value, made by {@link Planner}.
 *
 * <p>Order: first the thefts and all reads, which see the dataset as it was before the batch; then
 * the writes, wave by wave. Within the reads, and within a wave, nothing overlaps except reads, and
 * the order does not matter.
 *
 * @param thefts copies from queued writes to reads
 * @param reads what is read from the storage
 * @param waves what is written to it
 * @param traces what became of each request, in the order of the batch
 */
public record Plan(
    List<Theft> thefts, List<MergedRead> reads, List<List<MergedWrite>> waves, List<Trace> traces) {

  /**
   * Bytes of a write that answer a part of a read.
   *
   * @param from the write's bytes
   * @param to their place in the read's buffer; as long
   */
  public record Theft(Piece from, Piece to) {

    /** Copies them. */
    void copy() {
      MemorySegment.copy(
          from.request().buffer(),
          from.offsetBytes(),
          to.request().buffer(),
          to.offsetBytes(),
          to.lengthBytes());
    }
  }
}
