package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.tools.command.Streams;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests the scripts of {@code completion}, in bash, and the pages of {@code man}, in groff. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there bash and groff are no judges")
final class CompletionTest {

  @TempDir private Path folder;

  private Path script;

  @BeforeEach
  void print() throws Exception {
    CommandRun run = CommandRun.of("completion");
    assertThat(run.code()).as(run.err()).isZero();
    script = Files.writeString(folder.resolve("completion.sh"), run.out());
  }

  /** Returns what bash offers for the last of some words, by the function that it would call. */
  private List<String> offered(String... words) throws Exception {
    String program =
        """
        source "$0"
        compopt() { :; } # works only when the shell itself asks
        function=$(complete -p hyperslab | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        COMP_WORDS=(hyperslab "$@")
        COMP_CWORD=$#
        COMP_LINE="${COMP_WORDS[*]}"
        COMP_POINT=${#COMP_LINE}
        "$function" hyperslab "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
        printf '%s\\n' "${COMPREPLY[@]}"
        """;
    String[] start = {"bash", "--norc", "-c", program, script.toString()};
    List<String> all = new ArrayList<>(List.of(start));
    all.addAll(List.of(words));
    Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    return text.lines().map(String::strip).filter(each -> !each.isEmpty()).toList();
  }

  @Test
  void theShellMayBeNamed() throws Exception {
    for (String shell : List.of("bash", "zsh")) {
      assertThat(CommandRun.of("completion", shell).out()).isEqualTo(Files.readString(script));
    }
    assertThat(CommandRun.of("completion", "fish").code()).isEqualTo(2);
  }

  @Test
  void commandsAreCompleted() throws Exception {
    assertThat(offered("re")).containsExactly("repack");
    assertThat(offered(""))
        .contains("ls", "dump", "attr", "flash-io", "help")
        .doesNotContain("train");
    assertThat(offered("attr", "")).contains("get", "set", "rename", "delete");
  }

  @Test
  void optionsAreCompleted() throws Exception {
    assertThat(offered("ls", "--rec")).containsExactly("--recursive");
    assertThat(offered("diff", "--js")).containsExactly("--json");
    assertThat(offered("attr", "set", "--ty")).containsExactly("--type");
    assertThat(offered("flash-io", "--conn")).containsExactly("--connector");
    assertThat(offered("ls", "--nosuch")).isEmpty();
  }

  @Test
  void valuesOfWhichThereIsAListAreCompleted() throws Exception {
    assertThat(offered("attr", "set", "--type", "uint")).contains("uint8", "uint64be");
    assertThat(offered("convert", "--to", "net")).contains("netcdf4", "netcdf4_classic");
    assertThat(offered("convert", "--from", "z")).contains("zarr2", "zarr3");
    assertThat(offered("repack", "-S", "P")).containsExactly("PAGE");
    assertThat(offered("man", "rep")).containsExactly("repack");
  }

  /** Every command has a page that groff formats without a warning, and in it all its options. */
  @Test
  void manualPagesAreWellFormed() throws Exception {
    Oracle groff = Oracle.program("groff");
    CommandLine whole = Commands.whole(Streams.ofProcess());
    check(groff, whole, "");
    for (var command : whole.getSubcommands().entrySet()) {
      check(groff, command.getValue(), command.getKey());
    }
    check(groff, whole.getSubcommands().get("attr").getSubcommands().get("set"), "attr set");
  }

  private void check(Oracle groff, CommandLine line, String names) throws Exception {
    CommandRun run = CommandRun.of(("man " + names).strip().split(" "));
    assertThat(run.code()).as(names + run.err()).isZero();
    Path page = Files.writeString(folder.resolve("page.1"), run.out());
    Oracle.Outcome outcome =
        groff.run("-man", "-ww", "-Kutf8", "-Tutf8", "-P-cbou", page.toString());
    assertThat(outcome.exitCode()).as(names + outcome.errors()).isZero();
    assertThat(outcome.errors()).as(names).isEmpty();
    String shown = outcome.output().replaceAll("\\s+", " "); // words are spaced out
    assertThat(shown).contains("NAME", "SYNOPSIS", ("hyperslab " + names).strip());
    line.getCommandSpec().options().stream()
        .filter(option -> !option.hidden())
        .forEach(option -> assertThat(shown).contains(option.longestName()));
    assertThat(run.out()).doesNotContain("${").doesNotContain("default: null");
  }

  @Test
  void pagesOfUnknownCommandsAreNone() {
    CommandRun run = CommandRun.of("man", "lss");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("no such command: actual='lss'", "did you mean ls");
    assertThat(CommandRun.of("man", "attr", "gets").err()).contains("get, set, rename, delete");
  }
}
