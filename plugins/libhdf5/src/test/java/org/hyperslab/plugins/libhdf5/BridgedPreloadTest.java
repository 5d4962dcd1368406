package org.hyperslab.plugins.libhdf5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Oracle.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the library to preload: functions that libhdf5 answers for its native connector alone give
 * the same through the bridge.
 */
final class BridgedPreloadTest {

  @TempDir private static Path folder;
  private static BridgedPrograms programs;
  private static Path program;
  private static Map<String, String> preload;

  @BeforeAll
  static void compile() {
    programs = new BridgedPrograms(folder);
    program = programs.compile("deprecated.c");
    String library =
        BridgeLibrary.buildPreload(folder, BridgeLibrary.Binding.ofThisProcess(Optional.empty()))
            .stream()
            .map(Path::toString)
            .collect(Collectors.joining(":"));
    preload = Map.of("LD_PRELOAD", library);
  }

  @Test
  void olderFunctionsGiveTheSame() throws IOException {
    Path ours = Files.createDirectory(folder.resolve("ours"));
    Path theirs = Files.createDirectory(folder.resolve("theirs"));

    Outcome alone = programs.alone("h5run").runIn(theirs, program.toString(), "f.h5").orFail();
    Outcome bridged =
        programs
            .bridged("h5run", "native", preload)
            .runIn(ours, program.toString(), "f.h5")
            .orFail();

    assertThat(alone.output()).contains("visit by name: 0", "same 1", "closed 0");
    assertThat(bridged.output()).isEqualTo(alone.output());
    Oracle dump = programs.alone("h5dump");
    assertThat(dump.runIn(ours, "f.h5").orFail().output())
        .isEqualTo(dump.runIn(theirs, "f.h5").orFail().output());
  }

  /** libhdf5's own connector opens the files of a child, which cannot use the JVM of its parent. */
  @Test
  void aChildOfForkOpensItsOwnFiles() throws IOException {
    String forked = programs.compile("fork_reader.c").toString();
    Path ours = Files.createDirectory(folder.resolve("our forks"));
    Path theirs = Files.createDirectory(folder.resolve("their forks"));

    Outcome alone = programs.alone("h5run").runIn(theirs, forked).orFail();
    for (String connector : new String[] {"native", "async | native"}) {
      Outcome bridged = programs.bridged("h5run", connector, preload).runIn(ours, forked).orFail();

      assertThat(alone.output()).contains("child: accessible 1, read 45, made 1", "child exited 0");
      assertThat(bridged.output()).isEqualTo(alone.output());
      assertThat(bridged.errors()).isEqualTo(alone.errors());
    }
  }

  /** References to regions before 1.12, and types with references as files give them. */
  @Test
  void regionReferencesAreTheSame() throws IOException {
    String regions = programs.compile("regions.c").toString();
    Path ours = Files.createDirectory(folder.resolve("our regions"));
    Path theirs = Files.createDirectory(folder.resolve("their regions"));

    Outcome alone = programs.alone("h5run").runIn(theirs, regions).orFail();
    Outcome bridged = programs.bridged("h5run", "native", preload).runIn(ours, regions).orFail();

    assertThat(alone.output()).contains("24 elements of 100, 1 2 to 5 8", "base 1", "read 0");
    assertThat(bridged.output()).isEqualTo(alone.output());
    Oracle dump = programs.alone("h5dump");
    assertThat(dump.runIn(ours, "f.h5").orFail().output())
        .isEqualTo(dump.runIn(theirs, "f.h5").orFail().output());
  }

  @Test
  void programsOnTheNativeConnectorAreNotAffected() throws IOException {
    Path with = Files.createDirectory(folder.resolve("with"));
    Path without = Files.createDirectory(folder.resolve("without"));
    Oracle run = programs.alone("h5run");
    Outcome alone = run.runIn(without, program.toString(), "f.h5").orFail();
    Outcome preloaded = run.with(preload).runIn(with, program.toString(), "f.h5").orFail();
    assertThat(preloaded.output()).isEqualTo(alone.output());
  }

  /** As those of Python's fault handler. */
  @Test
  void faultsOfTheProgramReachItsHandler() throws IOException {
    Path signals = programs.compile("signals.c");
    Path work = Files.createDirectory(folder.resolve("faults"));
    Outcome bridged =
        programs
            .bridged("h5run", "native", preload)
            .runIn(work, signals.toString(), "f.h5", "faults");
    assertThat(bridged.text()).contains("faults 2", "made 1");
  }

  @Test
  void programsThatNeedItAreToldOnce() throws IOException {
    Path work = Files.createDirectory(folder.resolve("told"));
    Path netcdf = folder.resolve("libnetcdf.so");
    Path empty = Files.writeString(folder.resolve("empty.c"), "int none;");
    Oracle.program("gcc")
        .run("-shared", "-fPIC", "-o", netcdf.toString(), empty.toString())
        .orFail();
    String hint = "libnetcdf.so calls functions that libhdf5 keeps for its own connector";
    Map<String, String> without = Map.of("LD_PRELOAD", netcdf.toString());
    Map<String, String> with =
        Map.of("LD_PRELOAD", preload.get("LD_PRELOAD") + ":" + netcdf.toString());

    assertThat(stderr(without, work)).containsOnlyOnce(hint).contains("bridge --preload");
    assertThat(stderr(with, work)).doesNotContain(hint);
    assertThat(stderr(Map.of(), work)).doesNotContain(hint);
  }

  private static String stderr(Map<String, String> variables, Path work) {
    return programs
        .bridged("h5run", "native", variables)
        .runIn(work, program.toString(), "f.h5") // HDF5 2.2 aborts without it
        .text();
  }

  @Test
  void placesOfElementsAreListed() {
    Path file = folder.resolve("places.h5");
    try (H5File made = Hdf5.create(file)) {
      made.createDataset("contiguous", new int[] {1, 2}).close();
      DatasetOptions chunked = DatasetOptions.chunked(2).build();
      made.datasetBuilder("chunked")
          .value(new int[] {1, 2, 3, 4})
          .options(chunked)
          .create()
          .close();
    }
    Outcome alone = programs.alone("h5ls").run("-va", file.toString()).orFail();
    Outcome bridged =
        programs.bridged("h5ls", "native", preload).run("-va", file.toString()).orFail();
    assertThat(places(bridged)).hasSize(3).isEqualTo(places(alone));
  }

  /** Returns the lines with the address of a contiguous dataset or of a chunk. */
  private static List<String> places(Outcome listing) {
    return listing
        .output()
        .lines()
        .filter(line -> line.matches(" +Address: {3}\\d+| +0x.*"))
        .toList();
  }
}
