package org.hyperslab.mpiio.driver;

import java.util.Set;
import org.hyperslab.mpiio.comm.Request;

/** An exchange of numbers between all ranks that is under way. */
interface PendingExchange extends Request {

  /** Returns the numbers that this rank has received; called after the exchange has ended. */
  long[][] received();

  /**
   * Returns the ranks from which something must come, or to which it must go, before anything else.
   */
  Set<Integer> awaitedRanks();
}
