package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the help and errors of the command line. */
final class MainTest {

  private static final int WRONG_USE = 2;

  @Test
  void unknownCommandIsNamedAndThoseThereAreListed() {
    CommandRun run = CommandRun.of("dmp", "file.h5");
    assertThat(run.code()).isEqualTo(WRONG_USE);
    assertThat(run.err()).contains("'dmp'", "command").contains("dump");
  }

  @Test
  void omitsOtherCommands() {
    assertThat(CommandRun.of("frobnicate").err()).doesNotContain("Usage");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ls", "diff", "copy", "repack", "convert", "stat", "clear", "verify"})
  void missingFileIsWrongUse(String command) {
    CommandRun run = CommandRun.of(command);
    assertThat(run.err()).contains("Usage: hyperslab " + command);
    assertThat(run.code()).isNotZero();
  }
}
