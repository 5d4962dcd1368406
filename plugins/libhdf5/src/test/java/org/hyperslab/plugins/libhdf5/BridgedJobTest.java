package org.hyperslab.plugins.libhdf5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Oracle.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that C programs of several ranks ({@code H5Pset_fapl_mpio}) do the same through the bridge
 * as with libhdf5's native connector. Needs a parallel libhdf5, which {@code
 * src/test/parallel-hdf5.sh} builds; the system property {@code hyperslab.hdf5.parallel} names its
 * folder, and {@code hyperslab.hdf5.mpi} the MPI that it was built with, if it is {@code mpich}.
 */
final class BridgedJobTest {

  @TempDir private static Path folder;
  private static Path hdf5;
  private static Path program;
  private static final String MPI = System.getProperty("hyperslab.hdf5.mpi", "openmpi");

  @BeforeAll
  static void compile() {
    String named = System.getProperty("hyperslab.hdf5.parallel");
    assumeTrue(named != null, "no parallel libhdf5 is named (hyperslab.hdf5.parallel)");
    hdf5 = Path.of(named);
    program = compiled("job.c");
  }

  private static Path compiled(String source) {
    Path copy = BridgedPrograms.copied(source, folder);
    Path made = folder.resolve(source.replace(".c", ""));
    Oracle.program("mpicc." + MPI)
        .run(
            "-o",
            made.toString(),
            copy.toString(),
            "-I" + hdf5.resolve("include"),
            "-L" + hdf5.resolve("lib"),
            "-lhdf5",
            "-Wl,-rpath," + hdf5.resolve("lib"))
        .orFail();
    return made;
  }

  /** Runs a program by several ranks, on libhdf5's own connector. */
  private static Outcome alone(int ranks, Path program, String... arguments) {
    return run(Map.of(), ranks, program, arguments);
  }

  /** Runs a program by several ranks, through the bridge. */
  private static Outcome bridged(String connector, int ranks, Path program, String... arguments) {
    Map<String, String> variables = new HashMap<>();
    variables.put(
        "HDF5_PLUGIN_PATH",
        BridgeLibrary.build(folder, BridgeLibrary.Binding.ofThisProcess(Optional.empty()))
            .toString());
    variables.put("HDF5_VOL_CONNECTOR", "hyperslab " + connector);
    return run(variables, ranks, program, arguments);
  }

  private static Outcome run(
      Map<String, String> variables, int ranks, Path program, String... arguments) {
    List<String> words = new ArrayList<>();
    if (MPI.equals("openmpi")) {
      words.addAll(List.of("--allow-run-as-root", "--oversubscribe", "--bind-to", "none"));
    }
    words.add("-n");
    words.add(Integer.toString(ranks));
    words.add(program.toString());
    words.addAll(Arrays.asList(arguments));
    return Oracle.program("mpirun." + MPI).with(variables).run(words.toArray(String[]::new));
  }

  private static String dumped(Path file) {
    return Oracle.h5dump().run(file.toString()).orFail().output().replace(file.toString(), "FILE");
  }

  @Test
  void writesTheSameFileAndReadsItWithAnyNumberOfRanks() {
    Path theirs = folder.resolve("theirs.h5");
    Path ours = folder.resolve("ours.h5");

    Outcome alone = alone(4, program, theirs.toString(), "write").orFail();
    Outcome bridged = bridged("mpiio", 4, program, ours.toString(), "write").orFail();

    assertThat(alone.output().lines())
        .hasSizeGreaterThan(20)
        .allMatch(line -> line.endsWith(": 0"));
    assertThat(bridged.text()).isEqualTo(alone.text());
    Oracle.h5diff().run(theirs.toString(), ours.toString()).orFail();
    assertThat(dumped(ours)).isEqualTo(dumped(theirs));

    assertThat(bridged("native", 3, program, ours.toString(), "each").orFail().text())
        .isEqualTo(alone(3, program, theirs.toString(), "each").orFail().text())
        .contains("each for itself: 0");

    Outcome expected = alone(3, program, ours.toString(), "read").orFail();
    assertThat(expected.output().lines())
        .hasSizeGreaterThan(10)
        .allMatch(line -> line.endsWith(": 0"));
    for (int ranks : new int[] {1, 2, 3}) {
      assertThat(bridged("native", ranks, program, theirs.toString(), "read").orFail().text())
          .isEqualTo(expected.text());
      assertThat(bridged("mpiio", ranks, program, ours.toString(), "read").orFail().text())
          .isEqualTo(expected.text());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void oneRankOpensReadsAndWritesByItself(int ranks) {
    Path theirs = folder.resolve("theirs alone " + ranks + ".h5");
    Path ours = folder.resolve("ours alone " + ranks + ".h5");

    Outcome alone = alone(ranks, program, theirs.toString(), "single").orFail();
    Outcome bridged = bridged("mpiio", ranks, program, ours.toString(), "single").orFail();

    assertThat(alone.output().lines())
        .hasSizeGreaterThan(10)
        .allMatch(line -> line.endsWith(": 0"));
    assertThat(bridged.text()).isEqualTo(alone.text());
    assertThat(dumped(ours)).isEqualTo(dumped(theirs));
    assertThat(bridged("mpiio", ranks, program, ours.toString(), "promised").output().lines())
        .contains("one rank in spite of a promise: 0", "closed: 0");
  }

  @Test
  void aCollectiveCallOfOneRankAloneFails() {
    Path file = folder.resolve("lonely.h5");
    assertThat(bridged("mpiio", 3, program, file.toString(), "lonely").output().lines())
        .contains("a call of one rank alone fails: 0", "closing ends: 0");
    assertThat(dumped(file)).doesNotContain("alone");
  }

  @Test
  void flashIoInCWritesTheSameFile() {
    Path source =
        Path.of(System.getProperty("hyperslab.root"), "benchmarks/src/main/c/flash_peer.c");
    Path flash = folder.resolve("flash");
    Oracle.program("mpicc." + MPI)
        .run(
            "-O2",
            "-o",
            flash.toString(),
            source.toString(),
            "-I" + hdf5.resolve("include"),
            "-L" + hdf5.resolve("lib"),
            "-lhdf5",
            "-Wl,-rpath," + hdf5.resolve("lib"))
        .orFail();
    String theirs = folder.resolve("flash theirs.h5").toString();
    alone(4, flash, theirs, "1", "collective").orFail();
    for (String how : List.of("collective", "independent")) {
      String ours = folder.resolve("flash " + how + ".h5").toString();
      bridged("mpiio", 4, flash, ours, "1", how).orFail();
      Oracle.h5diff().run(theirs, ours).orFail();
    }
  }

  @Test
  void connectorWithoutRankSupportIsRefused() {
    Path file = folder.resolve("refused.h5");
    Outcome refused =
        bridged("forwarding servers=127.0.0.1:1", 2, program, file.toString(), "read");
    assertThat(refused.text())
        .contains("Hyperslab-DIAG", "actual=mpio with several ranks on connector forwarding");
    assertThat(Files.exists(file)).isFalse();
  }
}
