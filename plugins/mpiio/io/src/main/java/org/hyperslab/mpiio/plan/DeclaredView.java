package org.hyperslab.mpiio.plan;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;

/**
 * A pattern of extents that repeats endlessly. A rank declares it once; later calls transmit only
 * positions in it.
 *
 * @param displacement the offset in the file of the first repetition
 * @param tile the extents of a repetition, from its beginning
 * @param tileSpan the distance from one repetition to the next, in bytes
 */
public record DeclaredView(long displacement, ExtentRuns tile, long tileSpan) {

  /** Checks that repetitions do not overlap. */
  public DeclaredView {
    if (displacement < 0 || tileSpan < tile.endExclusive()) {
      throw new InvalidUseException(
          "view: actual=displacement "
              + displacement
              + ", extent "
              + tileSpan
              + ", expected=an extent of at least "
              + tile.endExclusive());
    }
  }

  /**
   * {@return the file extents of packed bytes {@code from .} from + bytes}.
   *
   * @param from the first byte
   * @param bytes the number of bytes
   */
  public ExtentRuns slice(long from, long bytes) {
    if (bytes == 0) {
      return ExtentRuns.empty();
    }
    if (tile.isEmpty()) {
      throw new InvalidUseException("view: actual=no bytes in it, expected=" + bytes);
    }
    ExtentRuns.Builder extents = ExtentRuns.builder();
    long size = tile.totalBytes();
    for (long at = from; at < from + bytes; ) {
      long repetition = at / size;
      long within = at % size;
      long part = Math.min(size - within, from + bytes - at);
      long origin = Math.addExact(displacement, Math.multiplyExact(repetition, tileSpan));
      ExtentList piece = tile.slice(within, within + part);
      ExtentRuns runs = ExtentRuns.copyOf(piece);
      for (int run = 0; run < runs.runs(); run++) {
        extents.addRun(
            origin + runs.runOffset(run),
            runs.runLength(run),
            runs.runStride(run),
            runs.runCount(run));
      }
      at += part;
    }
    return extents.build();
  }

  /** {@return the view as numbers} */
  public long[] encode() {
    long[] runs = tile.encode();
    long[] all = new long[runs.length + 2];
    all[0] = displacement;
    all[1] = tileSpan;
    System.arraycopy(runs, 0, all, 2, runs.length);
    return all;
  }

  /**
   * {@return the view that numbers stand for}
   *
   * @param encoded the numbers that {@link #encode} returned
   */
  public static DeclaredView decode(long[] encoded) {
    ExtentRuns tile = ExtentRuns.decode(encoded, 2, encoded.length - 2);
    return new DeclaredView(encoded[0], tile, encoded[1]);
  }
}
