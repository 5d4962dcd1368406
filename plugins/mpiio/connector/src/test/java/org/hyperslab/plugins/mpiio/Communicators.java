package org.hyperslab.plugins.mpiio;

import java.lang.foreign.MemorySegment;
import org.hyperslab.mpiio.comm.Communicator;

/** What tests want of communicators. */
final class Communicators {

  private Communicators() {}

  /** Rank 0's number. */
  static long sameOnAll(Communicator comm, long number) {
    long[] one = {number};
    comm.broadcast(MemorySegment.ofArray(one), 0);
    return one[0];
  }
}
