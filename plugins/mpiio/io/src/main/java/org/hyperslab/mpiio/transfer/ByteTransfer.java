package org.hyperslab.mpiio.transfer;

import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.schedule.Schedule;

/**
 * A method of moving one rank's extents between its memory and the file. It only creates schedules.
 *
 * <p>Thread rule: immutable.
 */
public sealed interface ByteTransfer
    permits ExtentTransfer, DataSieving, VectoredTransfer, ListTransfer {

  /** {@return the component's name in hints} */
  String name();

  /**
   * {@return the steps that write {@code file} from the rank's memory, in packed order}
   *
   * @param rank the rank, from 0
   * @param file the extents of the rank's access
   */
  Schedule write(int rank, ExtentRuns file);

  /**
   * {@return the steps that read {@code file} into the rank's memory, in packed order}
   *
   * @param rank the rank, from 0
   * @param file the extents of the rank's access
   */
  Schedule read(int rank, ExtentRuns file);
}
