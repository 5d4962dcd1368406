package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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

  @ParameterizedTest
  @ValueSource(strings = {"hlep dmp", "help stats", "help nosuch", "help nosuch ls"})
  void helpOfAnUnknownCommandSaysSo(String words) {
    CommandRun run = CommandRun.of(words.split(" "));
    assertThat(run.code()).isEqualTo(WRONG_USE);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("no such command: actual='").doesNotContain("Usage");
  }

  @Test
  void commandsNearToAnUnknownOneAreTold() {
    assertThat(CommandRun.of("help", "stats").err()).contains("did you mean stat");
    assertThat(CommandRun.of("dumb").err()).contains("did you mean dump");
    assertThat(CommandRun.of("xyzzy").err()).doesNotContain("did you mean");
    assertThat(CommandRun.of("help", "nosuch").err()).doesNotContain("did you mean");
    assertThat(CommandRun.of("").err()).contains("no such command");
  }

  @Test
  void helpIsThatOfTheOption() {
    for (String command : List.of("ls", "dump", "flash-io", "attr", "attr set")) {
      CommandRun help = CommandRun.of(("help " + command).split(" "));
      assertThat(help.code()).as(command).isZero();
      assertThat(help.out())
          .contains("Usage: hyperslab " + command)
          .isEqualTo(CommandRun.of((command + " --help").split(" ")).out());
    }
    assertThat(CommandRun.of("help").out()).contains("repack", "flash-io");
  }

  @Test
  void omitsOtherCommands() {
    assertThat(CommandRun.of("frobnicate").err()).doesNotContain("Usage");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ls", "diff", "copy", "repack", "convert", "stat", "clear", "verify", "mkgrp", "delete",
        "move"
      })
  void missingFileIsWrongUse(String command) {
    CommandRun run = CommandRun.of(command);
    assertThat(run.err()).contains("Usage: hyperslab " + command);
    assertThat(run.code()).isNotZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ls",
        "dump",
        "diff",
        "copy",
        "repack",
        "convert",
        "stat",
        "clear",
        "verify",
        "attr",
        "mkgrp",
        "delete",
        "move",
        "completion",
        "man",
        "view",
        "serve",
        "index",
        "ncdump",
        "ncgen",
        "plot",
        "stage",
        "place",
        "tune",
        "simulate",
        "bridge",
        "flash-io",
        "example",
        "ffbench"
      })
  void versionIsPrintedByEveryCommand(String command) {
    CommandRun run = CommandRun.of(command, "--version");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).startsWith("hyperslab ");
    assertThat(CommandRun.of(command, "-V").out()).isEqualTo(run.out());
  }

  @Test
  void wrongOptionIsNamedWithoutTheWholeHelp() {
    CommandRun run = CommandRun.of("ls", "--recursiv", "file.h5");
    assertThat(run.code()).isEqualTo(WRONG_USE);
    assertThat(run.err()).contains("--recursiv'", "--recursive", "Usage: hyperslab ls", "--help");
    assertThat(run.err().lines().count()).isLessThan(8);
    assertThat(CommandRun.of("ls", "--bogus").err()).contains("Unknown option: '--bogus'");
  }

  @Test
  void textInPlaceOfANumberIsReportedInPlainWords() {
    assertThat(CommandRun.of("diff", "-d", "abc", "a", "b").err())
        .contains("'abc' is not a number");
    assertThat(CommandRun.of("stat", "-l", "abc", "a").err()).contains("is not a whole number");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "view . --port 70000",
        "stage --root r --listen 127.0.0.1:0 --threads 100000",
        "stage --root r --listen 127.0.0.1:0 --memory 99999999999999999",
        "stage --root r --listen 127.0.0.1:0 --grace -1"
      })
  void numbersOutOfRangeAreReportedWithoutATrace(String words) {
    CommandRun run = CommandRun.of(words.split(" "));
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("expected=").doesNotContain("\tat ");
  }

  @Test
  void missingAndWrongNamesOfExamplesAreAnsweredByAll() {
    assertThat(CommandRun.of("example").err()).contains("expected=one of", "checkpoint", "tile-io");
    assertThat(CommandRun.of("tune", "bogus").err()).contains("'bogus'", "tile-io");
  }
}
