package org.hyperslab.mpiio.transfer;

import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.schedule.Schedule;

/**
 * A way of moving one rank's extents between its memory and the file. Makes values only.
 *
 * <p>Thread rule: immutable.
 */
public sealed interface ByteTransfer permits Positional, DataSieving, Skipping, ListTransfer {

  /** The component's name, as hints give it. */
  String name();

  /** The steps that write {@code file} from the rank's memory, in packed order. */
  Schedule write(int rank, ExtentRuns file);

  /** The steps that read {@code file} into the rank's memory, in packed order. */
  Schedule read(int rank, ExtentRuns file);
}
