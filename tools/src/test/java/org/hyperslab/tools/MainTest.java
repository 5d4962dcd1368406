package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hyperslab.tools.command.FailureReport;
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

  @ParameterizedTest
  @ValueSource(strings = {"man ls foo", "help ls foo", "help attr set foo"})
  void wordsBehindACommandWithoutCommandsAreRefused(String words) {
    CommandRun run = CommandRun.of(words.split(" "));
    assertThat(run.code()).isEqualTo(WRONG_USE);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("actual='foo'", "expected=nothing").doesNotContain("one of ;");
    assertThat(CommandRun.of("help", "attr", "foo").err()).contains("get, set, rename, delete");
  }

  @Test
  void optionsNearToAnUnknownOneAreTold() {
    CommandRun run = CommandRun.of("convert", "--form", "csv", "a.csv", "b.h5");
    assertThat(run.code()).isEqualTo(WRONG_USE);
    assertThat(run.err()).contains("Unknown option: '--form'; did you mean --from?");
    assertThat(run.err().lines().findFirst().orElseThrow()).doesNotContain("b.h5");
    assertThat(CommandRun.of("repack", "--verbsoe", "a", "b").err()).contains("mean --verbose?");
    assertThat(CommandRun.of("ls", "--xyzzy", "a").err()).doesNotContain("did you mean");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mkgrp a.h5",
        "delete a.h5",
        "move a.h5",
        "move a.h5:/x",
        "convert a.csv b.h5 --to foo",
        "convert a.csv b.h5 --from foo",
        "convert a.csv b.h5 --delimiter ab",
        "convert a.csv b.h5 --header foo",
        "convert a.csv b.h5 --short-rows x",
        "convert a.csv b.h5 --encoding foo",
        "convert a.csv b.h5 --units-row x",
        "convert a.csv b.h5 --memory -1",
        "convert a.h5 b.h5 --deflate 99"
      })
  void wrongWordsAreWrongUse(String words) {
    CommandRun run = CommandRun.of(words.split(" "));
    assertThat(run.code()).as(run.err()).isEqualTo(WRONG_USE);
    assertThat(run.err()).contains("Usage: hyperslab ").doesNotContain("\tat ");
  }

  @Test
  void usageOfMoveNamesTwoWords() {
    assertThat(CommandRun.of("move").err()).contains("FILE:/old /new").doesNotContain("...]");
  }

  @Test
  void namesOfJavasExceptionsAreNotPrinted() {
    assertThat(
            FailureReport.inWords(
                "write: actual=java.io.IOException: No space left on device, at=x"))
        .isEqualTo("write: actual=no space left on the device, at=x");
    assertThat(FailureReport.inWords("a=java.nio.file.FileSystemException: x: Not a directory"))
        .isEqualTo("a=x: Not a directory");
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
  void watchTakesNoAddressForItsSeconds() {
    for (String words : List.of("--watch 127.0.0.1:1", "127.0.0.1:1 --watch", "--watch=3 :1")) {
      CommandRun run = CommandRun.of(("stage --status " + words).split(" "));
      assertThat(run.code()).as(words).isEqualTo(1);
      assertThat(run.err()).as(words).doesNotContain("--watch");
    }
    assertThat(CommandRun.of("stage", "--status", "--watch=x", "127.0.0.1:1").err())
        .contains("--watch");
  }

  @Test
  void missingAndWrongNamesOfExamplesAreAnsweredByAll() {
    assertThat(CommandRun.of("example").err()).contains("expected=one of", "checkpoint", "tile-io");
    assertThat(CommandRun.of("tune", "bogus").err()).contains("'bogus'", "tile-io");
  }
}
