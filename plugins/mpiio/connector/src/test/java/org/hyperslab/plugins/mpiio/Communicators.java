package org.hyperslab.plugins.mpiio;

import java.lang.foreign.MemorySegment;
import org.hyperslab.mpiio.comm.Communicator;

/** Helpers of tests for communicators. */
final class Communicators {

  private Communicators() {}

  /** Returns rank 0's number, on all ranks. */
  static long sameOnAll(Communicator comm, long number) {
    long[] one = {number};
    comm.broadcast(MemorySegment.ofArray(one), 0);
    return one[0];
  }
}
