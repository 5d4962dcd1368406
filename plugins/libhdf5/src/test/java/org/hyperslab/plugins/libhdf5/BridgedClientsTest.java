package org.hyperslab.plugins.libhdf5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.testkit.Oracle.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that what h5py, PyTables and netCDF ask of libhdf5 is the same through the bridge. */
final class BridgedClientsTest {

  @TempDir private static Path folder;
  private static BridgedPrograms programs;

  @BeforeAll
  static void prepare() {
    programs = new BridgedPrograms(folder);
  }

  /** Files that are renamed, removed and made again while they are open. */
  @Test
  void aFileIsNotItsName() throws IOException {
    String program = programs.compile("inodes.c").toString();
    Path ours = Files.createDirectory(folder.resolve("our names"));
    Path theirs = Files.createDirectory(folder.resolve("their names"));

    Outcome alone = programs.alone("h5run").runIn(theirs, program).orFail();
    Outcome bridged = programs.bridged("h5run", "native").runIn(ours, program).orFail();

    assertThat(alone.output()).contains("made again: 1 first 0, second 1", "late 0");
    assertThat(bridged.output()).isEqualTo(alone.output());
  }

  /** Error numbers, fill times, unknown filters, links, caches, pages, locks, SWMR, alignment. */
  @Test
  void whatTheyUseIsTheSame() throws IOException {
    String program = programs.compile("clients.c").toString();
    Path ours = Files.createDirectory(folder.resolve("ours"));
    Path theirs = Files.createDirectory(folder.resolve("theirs"));

    Outcome alone = programs.alone("h5run").runIn(theirs, program).orFail();
    Outcome bridged = programs.bridged("h5run", "native").runIn(ours, program).orFail();

    assertThat(alone.output())
        .contains("open what is not there: errno 2", "there.h5, /inner", "intent 21", "aligned 1")
        .contains("tracked 0, order 0, third chi, all zeta alpha chi");
    assertThat(bridged.output()).isEqualTo(alone.output());
  }
}
