package org.hyperslab.mpiio.transfer;

import java.util.List;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;

/**
 * Reads neighbouring extents and the holes between them with one scattering request: requested
 * bytes go directly to their places, holes to scratch memory that stays in the core's cache. Unlike
 * {@link DataSieving} this copies nothing twice. Writes are those of {@link ExtentTransfer}.
 *
 * @param gapBytes the longest hole that is read, at least 1
 */
public record VectoredTransfer(long gapBytes) implements ByteTransfer {

  /** The name in hints. */
  public static final String NAME = "skipping";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Schedule write(int rank, ExtentRuns file) {
    return new ExtentTransfer(false).write(rank, file);
  }

  @Override
  public Schedule read(int rank, ExtentRuns file) {
    if (file.isEmpty()) {
      return Schedule.empty(name(), rank);
    }
    Step read = new Step.SkippingRead(file, new ByteLocation.Memory(0), gapBytes);
    return new Schedule(name(), rank, List.of(List.of(read)));
  }
}
