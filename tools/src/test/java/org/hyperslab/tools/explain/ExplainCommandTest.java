package org.hyperslab.tools.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {

  @TempDir Path folder;

  private Path rules;
  private Path data;

  @BeforeEach
  void write() throws IOException {
    data = folder.resolve("a.h5");
    try (H5File file = Hdf5.create(data)) {
      file.createDataset("fields/t", new double[64][32]);
      file.createDataset("line", new double[8]);
    }
    rules = folder.resolve("c.yaml");
  }

  private void rules(String text) throws IOException {
    Files.writeString(rules, "version: 1\nfiles:\n" + text);
  }

  @Test
  void decisionsArePrinted() throws IOException {
    rules("- {match: '*.h5', threads: 2, datasets: [{match: /fields/*, chunks: [8, 8]}]}\n");
    CommandRun run = CommandRun.of("explain", rules.toString(), data.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out().lines())
        .containsExactly(
            data + ": threads = 2 (file, c.yaml:3:28)",
            "/fields/t: chunks = [8, 8] (file, c.yaml:3:69)");
  }

  @Test
  void patternsThatMatchNothingAreErrors() throws IOException {
    rules("- {match: ['*.h5', '*.nc'], datasets: [{match: /nothing, chunks: auto}]}\n");
    CommandRun run = CommandRun.of("explain", rules.toString(), data.toString());
    assertThat(run.code()).isOne();
    assertThat(run.err().lines())
        .containsExactly(
            "c.yaml:3:20: the pattern *.nc matches no file",
            "c.yaml:3:48: the pattern /nothing matches no object");
  }

  @Test
  void chunksThatDoNotFitAreErrors() throws IOException {
    rules("- {match: '*.h5', datasets: [{match: /**, chunks: [8, 8]}]}\n");
    CommandRun run = CommandRun.of("explain", rules.toString(), data.toString());
    assertThat(run.code()).isOne();
    assertThat(run.err()).contains("c.yaml:3:51: 2 lengths of chunks do not fit dataset /line");
    assertThat(run.out()).contains("/fields/t: chunks = [8, 8]");
  }

  @Test
  void aFileWithoutErrorsIsToldSo() throws IOException {
    rules("- {match: '*'}\n");
    assertThat(CommandRun.of("explain", rules.toString()).out()).isEqualTo("c.yaml: no error\n");
  }

  @Test
  void commandsObeyTheirOption() throws IOException {
    rules("- {match: '*', groups: [{match: /**, creationOrder: true}]}\n");
    CommandRun run = CommandRun.of("mkgrp", "--config", rules.toString(), data + ":/made");
    assertThat(run.err()).isEmpty();
    try (H5File file = Hdf5.open(data)) {
      assertThat(file.group("made").groupInfo().options().creationOrderTracked()).isTrue();
      assertThat(file.root().groupInfo().options().creationOrderTracked()).isFalse();
    }
  }
}
