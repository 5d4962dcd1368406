package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command line says of itself. */
@ResourceLock(Resources.SYSTEM_ERR)
final class MainTest {

  private static final int WRONG_USE = 2;

  @Test
  void unknownCommandIsNamedAndThoseThereAreListed() {
    Said said = Said.onErrors("dmp", "file.h5");
    assertThat(said.code()).isEqualTo(WRONG_USE);
    assertThat(said.text()).contains("'dmp'", "command").contains("dump");
  }

  @Test
  void nothingIsPrintedOfCommandsThatAreNotMeant() {
    assertThat(Said.onErrors("frobnicate").text()).doesNotContain("Usage");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ls", "diff", "copy", "repack", "stat", "clear", "verify"})
  void missingFileIsWrongUse(String command) {
    Said said = Said.onErrors(command);
    assertThat(said.text()).contains("Usage: hyperslab " + command);
    assertThat(said.code()).isNotZero();
  }
}
