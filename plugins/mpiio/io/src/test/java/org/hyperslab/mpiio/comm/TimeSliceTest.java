package org.hyperslab.mpiio.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Tests the slices that threads request. */
final class TimeSliceTest {

  private static final long NANOS = 7_000_000;

  @Test
  void concernsTheThreadThatRequestsItAndThoseThatItStarts() throws Exception {
    long before = TimeSlice.current();
    assumeThat(before).as("Linux since 6.12 has slices").isPositive();
    long[] slices =
        onThread(() -> {
          TimeSlice.request(NANOS);
          return new long[] {
            TimeSlice.current(), onThread(() -> new long[] {TimeSlice.current()})[0]
          };
        });
    assertThat(slices).containsExactly(NANOS, NANOS);
    assertThat(TimeSlice.current()).isEqualTo(before);
  }

  @Test
  void refusedSliceHasNoEffect() throws Exception {
    long[] slices =
        onThread(() -> {
          long before = TimeSlice.current();
          TimeSlice.request(-1);
          return new long[] {before, TimeSlice.current()};
        });
    assertThat(slices[1]).isBetween(slices[0], 100_000_000L);
  }

  private static long[] onThread(java.util.concurrent.Callable<long[]> body) throws Exception {
    FutureTask<long[]> task = new FutureTask<>(body);
    Thread.ofPlatform().start(task);
    return task.get();
  }
}
