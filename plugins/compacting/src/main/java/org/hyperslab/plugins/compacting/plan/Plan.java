package org.hyperslab.plugins.compacting.plan;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.hyperslab.plugins.compacting.report.Trace;

/**
 * The work for a batch of requests on one dataset, as a value created by {@link BatchPlanner}.
 *
 * <p>The copies and all reads come first; reads see the dataset before the writes of the batch. The
 * writes follow, wave by wave. Within the reads, and within a wave, nothing overlaps except reads,
 * so their order does not matter. The lists must not be modified.
 *
 * @param copies copies from queued writes into the buffers of reads
 * @param reads the reads from the storage
 * @param waves the writes to the storage, by wave
 * @param traces the outcome of each request, in the order of the batch
 */
public record Plan(
    List<Copy> copies, List<MergedRead> reads, List<List<MergedWrite>> waves, List<Trace> traces) {

  /**
   * A copy from a write's buffer that answers a part of a read.
   *
   * @param from the part of the write's buffer
   * @param to the part of the read's buffer, of the same length
   */
  public record Copy(RequestPiece from, RequestPiece to) {

    /** Copies the bytes. */
    public void run() {
      MemorySegment.copy(
          from.request().buffer(),
          from.offsetBytes(),
          to.request().buffer(),
          to.offsetBytes(),
          to.lengthBytes());
    }
  }

  /** {@return the number of bytes that reads copy from queued writes} */
  public long copiedBytes() {
    long bytes = 0;
    for (Copy copy : copies) {
      bytes += copy.to().lengthBytes();
    }
    return bytes;
  }

  /** {@return the number of bytes that are written to the storage} */
  public long writtenBytes() {
    long bytes = 0;
    for (List<MergedWrite> wave : waves) {
      for (MergedWrite write : wave) {
        bytes += write.bytes();
      }
    }
    return bytes;
  }
}
