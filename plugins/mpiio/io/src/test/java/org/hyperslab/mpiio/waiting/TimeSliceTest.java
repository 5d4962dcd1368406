package org.hyperslab.mpiio.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Tests the slices that threads request, as Linux reports them in {@code /proc}. */
final class TimeSliceTest {

  private static final Path SCHED = Path.of("/proc/thread-self/sched");
  private static final long NANOS = 7_000_000;
  private static final long MOST = 100_000_000;

  @Test
  void concernsTheThreadThatRequestsItAndThoseThatItStarts() throws Exception {
    long before = current();
    assumeThat(before).as("Linux since 6.12 has slices").isPositive();
    long[] slices =
        onThread(() -> {
          TimeSlice.request(NANOS);
          return new long[] {current(), onThread(() -> new long[] {current()})[0]};
        });
    assertThat(slices).containsExactly(NANOS, NANOS);
    assertThat(current()).isEqualTo(before);
  }

  @Test
  void systemLimitsSlices() throws Exception {
    long[] slices =
        onThread(() -> {
          long before = current();
          TimeSlice.request(-1); // unsigned for the kernel
          return new long[] {before, current()};
        });
    assertThat(slices[1]).isBetween(slices[0], MOST);
  }

  /** Returns the slice of the calling thread in nanoseconds; 0 if the system reports none. */
  private static long current() throws IOException {
    if (!Files.exists(SCHED)) {
      return 0;
    }
    try (var lines = Files.lines(SCHED)) {
      return lines
          .filter(line -> line.startsWith("se.slice"))
          .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
          .findFirst()
          .orElse(0);
    }
  }

  private static long[] onThread(Callable<long[]> body) throws Exception {
    FutureTask<long[]> task = new FutureTask<>(body);
    Thread.ofPlatform().start(task);
    return task.get();
  }
}
