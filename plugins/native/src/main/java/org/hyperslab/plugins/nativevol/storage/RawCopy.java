package org.hyperslab.plugins.nativevol.storage;

import java.util.stream.LongStream;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.plugins.nativevol.file.RawData;
import org.hyperslab.plugins.nativevol.transfer.TransferResources;

/**
 * Copies raw data as it is stored, from a file to the same or another one. Several threads share
 * the work; each reads and writes strips that stay in its core's cache.
 *
 * <p>Thread rule: under the destination's write lock and the source's read lock.
 */
public final class RawCopy {

  private static final int STRIP_BYTES = 1 << 20;

  private final RawData from;
  private final RawData to;
  private final TransferResources resources;

  /**
   * Creates a copier, which holds no memory.
   *
   * @param from the raw data of the source's file
   * @param to the raw data of the destination's file
   * @param resources the threads and buffers to use
   */
  public RawCopy(RawData from, RawData to, TransferResources resources) {
    this.from = from;
    this.to = to;
    this.resources = resources;
  }

  /**
   * Copies a range as far as the source's file extends; the rest was allocated and never written,
   * and reads as zeros in both files.
   *
   * @param source the address of the first byte in the source's file
   * @param target the address of the first byte in the destination's file
   * @param bytes the number of bytes; the ranges do not overlap
   */
  public void run(long source, long target, long bytes) {
    long stored = from.storedBytes(source, bytes);
    if (stored <= STRIP_BYTES) {
      strip(source, target, stored);
      return;
    }
    resources
        .workers()
        .forEach(
            LongStream.iterate(0, at -> at < stored, at -> at + STRIP_BYTES).iterator(),
            at -> strip(source + at, target + at, Math.min(STRIP_BYTES, stored - at)));
  }

  private void strip(long source, long target, long bytes) {
    if (bytes == 0) {
      return;
    }
    try (Lease buffer = resources.buffers().take(bytes)) {
      from.read(source, buffer.segment());
      to.write(target, buffer.segment());
    }
  }
}
