package org.hyperslab.examples.ffbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what the benchmark's clock measures. */
final class FfBenchTest {

  @TempDir private Path folder;

  /** A write takes 150 ms, from which the read of the same rows takes its elements at once. */
  @Test
  void theStealingScenariosClockIncludesTheWrites() {
    String with = "compacting threads=1 queue=1G | native";
    FfSetup setup =
        new FfSetup(
            folder.toString(),
            with,
            with,
            false,
            Map.of("cost.latencyMicros", "150000", "cost.megabytesPerSecond", "1000"),
            1);
    FfResult result =
        new FfBench(setup, new FfSizes(2, 2, 16, 1, 1))
            .run(List.of(FfScenario.STEAL), each -> {})
            .getFirst();
    assertThat(result.with().seconds()).isGreaterThanOrEqualTo(0.15);
    assertThat(result.without().seconds()).isGreaterThanOrEqualTo(0.15);
  }
}
