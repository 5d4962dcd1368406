package org.hyperslab.mpiio.driver;

import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.Request;

/** Exchanges numbers among the ranks of a communicator; the arrays passed must not be changed. */
interface NumberExchanges {

  /** Starts to send all ranks the same numbers. */
  PendingExchange gather(long[] mine, boolean equal);

  /** Starts to send each rank its own numbers. */
  PendingExchange exchange(long[][] forRank);

  /** Starts to reduce over all ranks. */
  PendingExchange reduce(long[] values, Reduction reduction);

  /** Starts a barrier of all ranks. */
  Request barrier();
}
