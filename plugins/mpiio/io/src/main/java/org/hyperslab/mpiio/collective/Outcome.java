package org.hyperslab.mpiio.collective;

/**
 * What a collective did, counted exactly. The same on every rank but for {@code mine} and {@code
 * peakBufferBytes}.
 *
 * @param algorithm the collective algorithm that ran
 * @param mine what this rank did
 * @param all the sums over all ranks; rounds are summed too
 * @param peakBufferBytes the most buffer memory that this rank used at one time
 */
public record Outcome(String algorithm, Tally mine, Tally all, long peakBufferBytes) {

  /** {@return requests to the file by all ranks} */
  public long fileRequests() {
    return all.reads() + all.writes();
  }

  /**
   * {@return bytes moved between the file and memory by all ranks, holes of sieved windows
   * included}
   */
  public long fileBytes() {
    return all.bytesRead() + all.bytesWritten();
  }

  /** {@return messages with data between ranks} */
  public long messages() {
    return all.messages();
  }

  /** {@return rounds of this rank's schedule} */
  public long cycles() {
    return mine.rounds();
  }
}
