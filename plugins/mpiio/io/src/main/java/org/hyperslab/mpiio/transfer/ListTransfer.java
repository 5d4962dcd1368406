package org.hyperslab.mpiio.transfer;

import java.util.List;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;

/**
 * Requests that name up to 1024 pieces each, at any places of the file and of memory ({@link
 * org.hyperslab.format.store.ByteStore#writeList}).
 *
 * <p>After Ching, Choudhary, Liao, Ross, Gropp: Noncontiguous I/O through PVFS (2002).
 */
public record ListTransfer() implements ByteTransfer {

  /** The greatest number of pieces of a request, which is the limit of a system call of Linux. */
  public static final int MAX_PIECES = 1024;

  /** The name in hints. */
  public static final String NAME = "list";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Schedule write(int rank, ExtentRuns file) {
    return schedule(rank, file, true);
  }

  @Override
  public Schedule read(int rank, ExtentRuns file) {
    return schedule(rank, file, false);
  }

  private Schedule schedule(int rank, ExtentRuns file, boolean write) {
    if (file.isEmpty()) {
      return Schedule.empty(name(), rank);
    }
    Step list = new Step.ListTransfer(file, new ByteLocation.Memory(0), write);
    return new Schedule(name(), rank, List.of(List.of(list)));
  }
}
