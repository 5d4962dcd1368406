package org.hyperslab.plugins.mpiio.transfer;

import java.util.EnumSet;
import java.util.Set;
import org.hyperslab.plugins.mpiio.report.NoCollectiveCause;

/**
 * What ranks must know of each other before they transfer elements together: of one rank, or of all
 * ranks, after a reduction to the minimum of each of the {@linkplain #encode numbers}.
 *
 * @param causes why elements cannot move between memory and file by collective I/O: on any rank
 * @param missing whether storage is missing: on any rank
 * @param windows the number of windows that the elements need: the greatest of all ranks
 * @param mayStart whether the transfer may continue in the background: on every rank
 * @param bytes the bytes of the elements: the greatest number of all ranks
 */
public record TransferFacts(
    Set<NoCollectiveCause> causes, boolean missing, long windows, boolean mayStart, long bytes) {

  private static final NoCollectiveCause[] CAUSES = NoCollectiveCause.values();

  /** The positions of the numbers; before them there is one for each cause. */
  private static final int PRESENT = CAUSES.length;

  private static final int WINDOWS = PRESENT + 1;
  private static final int MAY_START = PRESENT + 2;
  private static final int BYTES = PRESENT + 3;
  private static final int COUNT = PRESENT + 4;

  /**
   * Returns numbers whose minimum over all ranks states the facts of all: what holds on any rank is
   * 0 where it holds, a maximum is negative.
   */
  public long[] encode() {
    long[] numbers = new long[COUNT];
    for (NoCollectiveCause cause : CAUSES) {
      numbers[cause.ordinal()] = causes.contains(cause) ? 0 : 1;
    }
    numbers[PRESENT] = missing ? 0 : 1;
    numbers[WINDOWS] = -windows;
    numbers[MAY_START] = mayStart ? 1 : 0;
    numbers[BYTES] = -bytes;
    return numbers;
  }

  /** Returns the facts that numbers state. */
  public static TransferFacts decode(long[] numbers) {
    Set<NoCollectiveCause> causes = EnumSet.noneOf(NoCollectiveCause.class);
    for (NoCollectiveCause cause : CAUSES) {
      if (numbers[cause.ordinal()] == 0) {
        causes.add(cause);
      }
    }
    return new TransferFacts(
        causes, numbers[PRESENT] == 0, -numbers[WINDOWS], numbers[MAY_START] == 1, -numbers[BYTES]);
  }
}
