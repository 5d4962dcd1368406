package org.hyperslab.mpiio.collective;

import org.hyperslab.mpiio.schedule.StepCounts;

/**
 * The outcome of a collective, counted exactly. The same on every rank except for {@code mine} and
 * {@code peakBufferBytes}.
 *
 * @param algorithm the collective algorithm that ran
 * @param mine the counts of this rank
 * @param all the sums over all ranks; rounds are summed too
 * @param peakBufferBytes the greatest amount of buffer memory that this rank used at one time
 */
public record CollectiveOutcome(
    String algorithm, StepCounts mine, StepCounts all, long peakBufferBytes) {

  /** {@return the number of requests to the file by all ranks} */
  public long fileRequests() {
    return all.reads() + all.writes();
  }

  /**
   * {@return the number of bytes moved between the file and memory by all ranks, including holes of
   * sieved windows}
   */
  public long fileBytes() {
    return all.bytesRead() + all.bytesWritten();
  }

  /** {@return the number of messages with data between ranks} */
  public long messages() {
    return all.messages();
  }

  /** {@return the number of rounds of this rank's schedule} */
  public long cycles() {
    return mine.rounds();
  }
}
