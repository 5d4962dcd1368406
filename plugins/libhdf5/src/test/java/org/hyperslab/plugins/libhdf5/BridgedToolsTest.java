package org.hyperslab.plugins.libhdf5;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Oracle.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that HDF5's own tools print the same about files through the bridge as without it. */
final class BridgedToolsTest {

  @TempDir private static Path folder;
  private static BridgedPrograms programs;

  @BeforeAll
  static void build() {
    programs = new BridgedPrograms(folder);
  }

  @Test
  void dumpsTheSame() {
    requireSameDump(Corpus.file("h5dump/tcompound.h5"));
  }

  @Campaign
  @ParameterizedTest
  @ValueSource(strings = {"h5dump/tattr2.h5", "h5dump/tvlstr.h5", "h5dump/vds/1_vds.h5"})
  void dumpsTheSameOfMoreFiles(String name) {
    requireSameDump(Corpus.file(name));
  }

  private static void requireSameDump(Path file) {
    String name = file.getFileName().toString();
    Outcome alone = programs.alone("h5dump").runIn(file.getParent(), name);
    Outcome bridged = programs.bridged("h5dump", "native").runIn(file.getParent(), name);
    assertThat(bridged.output()).isEqualTo(alone.output());
    assertThat(bridged.exitCode()).isEqualTo(alone.exitCode());
  }

  /**
   * h5stat asks for headers and for the sizes of indexes and heaps ({@code H5Oget_native_info}).
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "h5stat/h5stat_threshold.h5",
        "h5dump/tattr2.h5",
        "h5dump/tgrp_comments.h5",
        "h5dump/vds/1_vds.h5"
      })
  void statisticsAreTheSame(String name) {
    Path file = Corpus.file(name);
    String local = file.getFileName().toString();
    Outcome alone = programs.alone("h5stat").runIn(file.getParent(), local).orFail();
    Outcome bridged = programs.bridged("h5stat", "native").runIn(file.getParent(), local);
    assertThat(bridged.output()).isEqualTo(alone.output());
  }

  @Test
  void defaultConnectorIsUsedWithoutConfiguration() {
    String file = Corpus.file("h5dump/tattr2.h5").toString();
    assertThat(programs.bridged("h5ls", "").run(file).orFail().output())
        .isEqualTo(programs.alone("h5ls").run(file).orFail().output());
  }

  @Test
  void repacksThroughTheBridge() {
    String source = Corpus.file("h5repack/h5repack_layout.h5").toString();
    String target = folder.resolve("repacked.h5").toString();
    programs
        .bridged("h5repack", "native")
        .run("-f", "GZIP=1", "-l", "CHUNK=4x4", source, target)
        .orFail();
    Oracle.h5diff().run(source, target).orFail();
  }
}
