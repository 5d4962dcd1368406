package org.hyperslab.mpiio.transfer;

import java.util.List;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;

/**
 * Makes a request for each extent, gathered from or scattered to memory if that is in pieces.
 *
 * @param locked whether a write holds the range lock, so that other ranks may sieve
 */
public record ExtentTransfer(boolean locked) implements ByteTransfer {

  /** The name in hints. */
  public static final String NAME = "positional";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Schedule write(int rank, ExtentRuns file) {
    if (file.isEmpty()) {
      return Schedule.empty(name(), rank);
    }
    Step write = new Step.Write(file, new ByteLocation.Memory(0));
    List<Step> steps =
        locked
            ? List.of(new Step.Lock(file.first(), file.endExclusive()), write, new Step.Unlock())
            : List.of(write);
    return new Schedule(name(), rank, List.of(steps));
  }

  @Override
  public Schedule read(int rank, ExtentRuns file) {
    if (file.isEmpty()) {
      return Schedule.empty(name(), rank);
    }
    Step read = new Step.Read(file, new ByteLocation.Memory(0), false);
    return new Schedule(name(), rank, List.of(List.of(read)));
  }
}
