package org.hyperslab.mpiio.schedule;

import org.hyperslab.mpiio.comm.Request;

/** An exchange of numbers between all ranks that is under way. */
interface Talk extends Request {

  /** What was told to this rank; once it has ended. */
  long[][] heard();
}
