package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command line says of itself. */
@ResourceLock(Resources.SYSTEM_ERR)
final class MainTest {

  private static final int WRONG_USE = 2;

  /** What a command line ended with, and what it said on standard error. */
  private record Said(int code, String errors) {}

  private static Said run(String... arguments) {
    PrintStream before = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      return new Said(Main.run(arguments), bytes.toString(StandardCharsets.UTF_8));
    } finally {
      System.setErr(before);
    }
  }

  @Test
  void unknownCommandIsNamedAndThoseThereAreListed() {
    Said said = run("dmp", "file.h5");
    assertThat(said.code()).isEqualTo(WRONG_USE);
    assertThat(said.errors()).contains("'dmp'", "command").contains("dump");
  }

  @Test
  void nothingIsPrintedOfCommandsThatAreNotMeant() {
    assertThat(run("frobnicate").errors()).doesNotContain("Usage");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ls", "diff", "copy", "repack", "stat", "clear", "verify"})
  void missingFileIsWrongUse(String command) {
    Said said = run(command);
    assertThat(said.errors()).contains("Usage: hyperslab " + command);
    assertThat(said.code()).isNotZero();
  }
}
