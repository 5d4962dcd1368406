package org.hyperslab.plugins.libhdf5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Oracle.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program in C that is not compiled again writes what a configuration file chooses. */
final class ConfiguredProgramTest {

  private static final String RULES =
      """
      version: 1
      files:
        - match: run.h5
          connector: async | native
          datasets:
            - match: /fields/*
              chunks: [16, 32]
              filters: [shuffle, deflate 4]
      """;

  @TempDir private static Path folder;
  private static BridgedPrograms programs;

  @BeforeAll
  static void prepare() {
    programs = new BridgedPrograms(folder);
  }

  @Test
  void itsDatasetsAreCompressed() throws IOException {
    String program = programs.compile("configured.c").toString();
    Path rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
    Map<String, String> environment = Map.of("HYPERSLAB_CONFIG", rules.toString());

    Outcome outcome =
        programs.bridged("h5run", "native", environment).runIn(folder, program).orFail();

    assertThat(outcome.output()).contains("wrong 0");
    String dump = Oracle.h5dump().run("-p", folder.resolve("run.h5").toString()).output();
    assertThat(dump)
        .contains("CHUNKED ( 16, 32 )", "PREPROCESSING SHUFFLE", "COMPRESSION DEFLATE { LEVEL 4 }")
        .contains("(63,30): 93, 94\n", "H5D_ALLOC_TIME_INCR");
  }

  /** As in libhdf5, a flush leaves the file to the system, unless a rule asks for more. */
  @Test
  void nothingIsForcedToStorageUnlessARuleSaysSo() throws IOException {
    String program = programs.compile("configured.c").toString();
    BridgedPrograms.copied("forced.c", folder);
    Oracle.program("gcc")
        .runIn(folder, "-shared", "-fPIC", "-o", "libforced.so", "forced.c")
        .orFail();
    String counting = folder.resolve("libforced.so").toString();
    Path rules =
        Files.writeString(
            folder.resolve("durable.yaml"),
            "version: 1\nfiles: [{match: \"*\", force: true, durability: powerCut}]\n");

    Outcome plain =
        programs
            .bridged("h5run", "native", Map.of("LD_PRELOAD", counting))
            .runIn(folder, program)
            .orFail();
    Outcome durable =
        programs
            .bridged(
                "h5run",
                "native",
                Map.of("LD_PRELOAD", counting, "HYPERSLAB_CONFIG", rules.toString()))
            .runIn(folder, program)
            .orFail();

    assertThat(plain.errors()).contains("forced nothing").doesNotContain("forced something");
    assertThat(durable.errors()).contains("forced something");
  }

  @Test
  void anErrorInTheFileIsOnTheErrorStack() throws IOException {
    String program = programs.compile("configured.c").toString();
    Path rules = Files.writeString(folder.resolve("wrong.yaml"), RULES.replace("chunks", "chunk"));
    Map<String, String> environment = Map.of("HYPERSLAB_CONFIG", rules.toString());

    Outcome outcome = programs.bridged("h5run", "native", environment).runIn(folder, program);

    assertThat(outcome.exitCode()).isNotZero();
    assertThat(outcome.errors()).contains("wrong.yaml:7:9: there is no key chunk here");
  }
}
