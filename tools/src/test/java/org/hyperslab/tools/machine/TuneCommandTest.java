package org.hyperslab.tools.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that hints are found by measured runs, written, and read again. */
final class TuneCommandTest {

  @TempDir private Path folder;

  @AfterEach
  void forget() {
    System.clearProperty("hyperslab.hints");
  }

  @Test
  void exploresAKernelAndWritesHintsThatAreUsed() throws IOException {
    Path file = folder.resolve("tuned.hints");
    CommandRun run =
        CommandRun.of(
            "tune",
            "--hints",
            file.toString(),
            "--rounds",
            "2",
            "--collective",
            "two-phase,individual",
            "--aggregators",
            "1,2",
            "--buffers",
            "65536",
            "coll-perf",
            "--ranks",
            "2",
            "--size",
            "8,8,8",
            "--out",
            folder.toString());
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("defaults")
        .contains("hyperslab_collective=individual")
        .contains("cb_nodes=2 cb_buffer_size=65536")
        .containsOnlyOnce("  best");
    assertThat(file).content().startsWith("# written by hyperslab tune\n");
    assertThat(Hints.read(file)).isNotNull();

    Files.writeString(file, "# a comment\nhyperslab_collective=static\ncb_nodes 1\n");
    System.setProperty("hyperslab.hints", file.toString());
    run =
        CommandRun.of(
            "example",
            "coll-perf",
            "--size",
            "8,8,8",
            "--ranks",
            "2",
            "--explain",
            "--out",
            folder.toString());
    assertThat(run.out()).as(run.err()).contains("static (asked for").contains("(cb_nodes=1)");
  }

  @Test
  void failuresOfRanksAreToldWithoutNamesOfClasses() {
    CommandRun run =
        CommandRun.of("tune", "--collective", "bad", "tile-io", "--out", folder.toString());
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("hyperslab_collective=bad").doesNotContain("org.hyperslab");
  }

  @Test
  void linesThatAreNoHintsAreNamed() throws IOException {
    Path wrong = Files.writeString(folder.resolve("wrong"), "cb_nodes=1\ncb_buffer_size=0\n");
    assertThatThrownBy(() -> Hints.read(wrong))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining(
            "actual=cb_buffer_size=0, expected=at least 1, at=" + wrong + " line 2");
    Path word = Files.writeString(folder.resolve("word"), "fast\n");
    assertThatThrownBy(() -> Hints.read(word))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("actual=fast, expected=key=value, at=" + word + " line 1");
    assertThatThrownBy(() -> Hints.read(folder.resolve("none")))
        .isInstanceOf(InvalidUseException.class);
  }

  @Test
  void worseCombinationsAreDroppedAndUndecidedOnesAreKept() {
    HintTrials trials = new HintTrials(4);
    double[] noise = {1.0, 1.3, 0.9, 1.1, 1.0, 1.2, 0.8};
    for (int round = 0; round < noise.length; round++) {
      double[] seconds = {
        noise[round],
        3 * noise[round],
        1.2 * noise[round],
        noise[round] * (round % 2 == 0 ? 1.1 : 0.95)
      };
      for (int setting = 0; setting < 4; setting++) {
        if (trials.isTried(setting)) {
          trials.add(setting, seconds[setting]);
        }
      }
      trials.endRound();
      assertThat(trials.isTried(1)).as("three times as long").isEqualTo(round < 2);
    }
    assertThat(trials.isTried(2)).as("a fifth longer in each round").isFalse();
    assertThat(trials.winners()).containsExactly(0, 3);
  }

  @Test
  void defaultsAreTriedToTheEndAndLoseOnlyIfWorse() {
    HintTrials trials = new HintTrials(2);
    for (int round = 0; round < 7; round++) {
      assertThat(trials.isTried(0)).isTrue();
      trials.add(0, round < 5 ? 4.0 : 3.0);
      trials.add(1, 1.0);
      trials.endRound();
      assertThat(trials.winners()).hasSize(round < 5 ? 2 : 1).contains(1);
    }
  }
}
