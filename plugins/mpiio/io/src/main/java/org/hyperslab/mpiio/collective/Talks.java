package org.hyperslab.mpiio.collective;

import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.Request;

/** How the ranks of a communicator talk to each other: what they tell must not be changed. */
interface Talks {

  /** Starts to tell all ranks the same. */
  Talk gather(long[] mine, boolean equal);

  /** Starts to tell each rank something else. */
  Talk exchange(long[][] forRank);

  /** Starts to reduce over all ranks. */
  Talk reduce(long[] values, Reduction reduction);

  /** Starts to meet all ranks. */
  Request barrier();
}
