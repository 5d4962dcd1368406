package org.hyperslab.tools.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogCommandsTest {

  @TempDir Path folder;

  private Path left() throws Exception {
    Path file = folder.resolve("a.h5");
    Path logs = Files.createDirectory(folder.resolve("logs"));
    try (Session session = Hdf5.session("log drain=manual path=" + logs + " | native");
        H5File written = session.create(file)) {
      written.createDataset("x", new int[] {1, 2, 3});
    }
    return file;
  }

  @Test
  void logsAreFoundAndMigrated() throws Exception {
    Path file = left();
    CommandRun found = CommandRun.of("log", "--status", file.toString());
    assertThat(found.err()).isEmpty();
    assertThat(found.code()).isOne();
    assertThat(found.out()).contains(folder.resolve("logs").toString(), "not in use");
    CommandRun drained = CommandRun.of("drain", file.toString());
    assertThat(drained.err()).isEmpty();
    assertThat(drained.code()).isZero();
    assertThat(drained.out()).contains("1 writes migrated");
    try (H5File read = Hdf5.open(file)) {
      assertThat(read.dataset("x").readInts()).containsExactly(1, 2, 3);
      assertThat(read.root().attributeCount()).isZero();
    }
    assertThat(CommandRun.of("log", file.toString()).code()).isZero();
    assertThat(CommandRun.of("drain", file.toString()).out()).contains("no log");
    try (var all = Files.walk(folder)) {
      assertThat(all.filter(Files::isRegularFile)).containsExactly(file);
    }
  }

  @Test
  void logsAreGivenUpIfAskedTo() throws Exception {
    Path file = left();
    assertThat(CommandRun.of("drain", "--discard", file.toString()).out()).contains("log deleted");
    try (var all = Files.walk(folder)) {
      assertThat(all.filter(Files::isRegularFile)).isEmpty();
    }
  }

  @Test
  void verifyTellsOfTheLog() throws Exception {
    Path file = left();
    CommandRun.of("drain", file.toString());
    try (Session session =
            Hdf5.session("log drain=manual path=" + folder.resolve("logs") + " | native");
        H5File edited = session.openForEdit(file)) {
      edited.dataset("x").write(new int[] {4, 5, 6});
    }
    assertThat(CommandRun.of("verify", file.toString()).out())
        .contains("has a log", "the same, 0 differences");
  }
}
