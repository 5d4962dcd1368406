package org.hyperslab.plugins.libhdf5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.server.ServerOptions;
import org.hyperslab.plugins.forwarding.server.StageServer;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Oracle.Outcome;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests C programs and HDF5's tools, unchanged, on the files of a staging server. */
final class BridgedStagingTest {

  @TempDir private static Path folder;
  private static Path root;
  private static BridgedPrograms programs;
  private static StageServer server;

  @BeforeAll
  static void start() {
    programs = new BridgedPrograms(folder);
    root = folder.resolve("root");
    server = StageServer.start(ServerOptions.of(new Address.Tcp("127.0.0.1", 0), root));
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  /** A tool or {@code h5run}, whose files are those of the server. */
  private static Oracle staged(String tool) {
    return programs.bridged(tool, "forwarding servers=" + server.address());
  }

  /** The FLASH I/O kernel in C: 34 datasets, of which 24 hold 80 blocks of 8 x 8 x 8 cells. */
  @Test
  void flashIoInCWritesTheSameFile() throws IOException {
    Path source =
        Path.of(System.getProperty("hyperslab.root"), "benchmarks/src/main/c/flash_peer.c");
    Path program = folder.resolve("flash");
    programs.alone("h5cc").run("-O2", "-o", program.toString(), source.toString()).orFail();
    Path theirs = Files.createDirectory(folder.resolve("theirs"));

    programs.alone("h5run").runIn(theirs, program.toString(), "flash.h5", "1").orFail();
    staged("h5run").runIn(theirs, program.toString(), "staged.h5", "1").orFail();

    assertThat(theirs.resolve("staged.h5")).doesNotExist();
    String own = theirs.resolve("flash.h5").toString();
    String ours = root.resolve("staged.h5").toString();
    Outcome compared = programs.alone("h5diff").run("-v", own, ours).orFail();
    assertThat(compared.output()).contains("</gpot> and </gpot>", "</gid> and </gid>");
    assertThat(programs.alone("h5dump").run("-H", ours).orFail().output().lines().skip(1))
        .containsExactlyElementsOf(
            programs.alone("h5dump").run("-H", own).orFail().output().lines().skip(1).toList());
  }

  @Test
  void toolsPrintTheSame() throws IOException {
    requireTheSame("h5dump/tcompound.h5");
  }

  @Campaign
  @ParameterizedTest
  @ValueSource(
      strings = {
        "h5dump/tscalarattrintsize.h5",
        "h5dump/tvlstr.h5",
        "h5repack/h5repack_filters.h5",
        "h5dump/tloop.h5",
        "h5dump/tsoftlinks.h5",
        "h5dump/tnestedcomp.h5"
      })
  void toolsPrintTheSameForMoreFiles(String file) throws IOException {
    requireTheSame(file);
  }

  private static void requireTheSame(String file) throws IOException {
    Path original = Corpus.file(file);
    String name = original.getFileName().toString();
    Files.copy(original, root.resolve(name));
    Path elsewhere = Files.createTempDirectory(folder, "elsewhere");

    Outcome dumped = staged("h5dump").runIn(elsewhere, name);
    Outcome dumpedAlone = programs.alone("h5dump").runIn(original.getParent(), name);
    assertThat(dumped.output()).isEqualTo(dumpedAlone.output());
    assertThat(dumped.exitCode()).isEqualTo(dumpedAlone.exitCode());

    if (Effort.isFull()) {
      requireTheSameListing(original, elsewhere);
    }
    staged("h5repack").runIn(elsewhere, name, "re-" + name).orFail();
    assertThat(elsewhere).isEmptyDirectory();
    String repacked = root.resolve("re-" + name).toString();
    programs.alone("h5diff").run(original.toString(), repacked).orFail();
    if (Effort.isFull()) { // differencesAreFound runs it as well
      staged("h5diff").runIn(elsewhere, name, "re-" + name).orFail();
    }
  }

  private static void requireTheSameListing(Path original, Path elsewhere) {
    String name = original.getFileName().toString();
    Outcome listed = staged("h5ls").runIn(elsewhere, "-r", name);
    Outcome listedAlone = programs.alone("h5ls").runIn(original.getParent(), "-r", name);
    assertThat(listed.output()).isEqualTo(listedAlone.output());
    assertThat(listed.exitCode()).isEqualTo(listedAlone.exitCode());
  }

  @Test
  void differencesAreFound() throws IOException {
    for (String each : new String[] {"h5diff_dset1.h5", "h5diff_dset2.h5"}) {
      Files.copy(Corpus.file("h5diff/" + each), root.resolve(each));
    }
    Outcome alone =
        programs
            .alone("h5diff")
            .runIn(Corpus.folder().resolve("h5diff"), "h5diff_dset1.h5", "h5diff_dset2.h5");
    Outcome bridged = staged("h5diff").runIn(folder, "h5diff_dset1.h5", "h5diff_dset2.h5");
    assertThat(bridged.output()).isEqualTo(alone.output()).contains("differences found");
    assertThat(bridged.exitCode()).isEqualTo(1);
  }
}
