package org.hyperslab.tools.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the distributions that the command accepts. */
final class PiobenchCommandTest {

  @TempDir private Path folder;

  private CommandRun run(String... options) {
    List<String> all = new ArrayList<>(List.of("example", "piobench", "--ranks", "4"));
    all.addAll(List.of("--out", folder.toString()));
    all.addAll(List.of(options));
    return CommandRun.of(all.toArray(String[]::new));
  }

  @Test
  void eachDimensionHasItsDistribution() {
    CommandRun run = run("--size", "9,7,5", "--distribution", "balanced,random:2,none");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("9 x 7 x 5 doubles over 2 x 2 x 1 ranks, [BALANCED, RANDOM(2), NONE]")
        .contains("2,520 bytes")
        .contains("every byte is as written");
  }

  @Test
  void oneDistributionStandsForAllDimensions() {
    CommandRun run = run("--size", "25,25", "--independent");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("25 x 25 doubles over 2 x 2 ranks, [BALANCED, BALANCED]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"balanced:2", "random:0", "random:x", "cyclic:", "even"})
  void otherDistributionsAreNamed(String text) {
    CommandRun run = run("--distribution", text);
    assertThat(run.code()).isNotZero();
    assertThat(run.err()).contains("--distribution: actual=" + text + ", expected=none, block");
  }
}
