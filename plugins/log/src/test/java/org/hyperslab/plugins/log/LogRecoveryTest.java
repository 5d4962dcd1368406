package org.hyperslab.plugins.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of logs that a program has left: nothing is overwritten on a doubt. */
class LogRecoveryTest {

  @TempDir Path folder;

  private Path file;
  private Path logs;

  /** A file whose log changes x from 1, 2, 3 to 4, 5, 6 by a close, and to 7 by nothing. */
  @BeforeEach
  void leaveLog() throws IOException {
    file = folder.resolve("a.h5");
    logs = Files.createDirectory(folder.resolve("logs"));
    try (H5File made = Hdf5.create(file)) {
      made.createDataset("x", new int[] {1, 2, 3});
    }
    try (Session session = session("manual");
        H5File edited = session.openForEdit(file)) {
      edited.dataset("x").write(new int[] {4, 5, 6});
    }
  }

  private Session session(String drain) {
    return Hdf5.session("log drain=" + drain + " path=" + logs + " | native");
  }

  private int[] read() {
    try (H5File read = Hdf5.open(file)) {
      return read.dataset("x").readInts();
    }
  }

  private String drained() {
    return FileLogs.drain(file, FileLogs.Conflict.REFUSE).orElse("no log");
  }

  private Path log() {
    return FileLogs.status(file).orElseThrow().log();
  }

  private void refuses(Class<? extends HyperslabException> type, String... texts) {
    assertThatThrownBy(this::drained).isInstanceOf(type).hasMessageContainingAll(texts);
    assertThat(FileLogs.status(file)).isPresent();
    assertThat(read()).containsExactly(1, 2, 3);
  }

  @Test
  void fileKeepsItsStateUntilTheLogIsMigrated() {
    assertThat(read()).containsExactly(1, 2, 3);
    assertThat(drained()).contains("1 writes migrated");
    assertThat(read()).containsExactly(4, 5, 6);
    assertThat(drained()).isEqualTo("no log");
    assertThat(logs).isEmptyDirectory();
  }

  @Test
  void openingMigratesTheLog() {
    try (Session session = session("close");
        H5File opened = session.open(file)) {
      assertThat(opened.dataset("x").readInts()).containsExactly(4, 5, 6);
    }
    assertThat(read()).containsExactly(4, 5, 6);
  }

  @Test
  void fileThatAnotherProgramHasEditedIsReplacedOnlyIfAskedTo() {
    try (H5File other = Hdf5.openForEdit(file)) {
      other.createDataset("y", 1);
    }
    refuses(StorageException.class, "edited", "--overwrite", "--discard");
    FileLogs.drain(file, FileLogs.Conflict.OVERWRITE);
    assertThat(read()).containsExactly(4, 5, 6);
  }

  @Test
  void discardingKeepsTheFile() {
    assertThat(FileLogs.discard(file)).isTrue();
    assertThat(read()).containsExactly(1, 2, 3);
    assertThat(FileLogs.status(file)).isEmpty();
    assertThat(logs).isEmptyDirectory();
  }

  @Test
  void lostLogIsNamed() throws IOException {
    Files.delete(log());
    refuses(NotFoundException.class, "missing", "--discard");
  }

  @Test
  void damagedRecordThatWasOnStorageIsRefused() throws IOException {
    overwrite(log(), Files.size(log()) / 2);
    refuses(CorruptFileException.class, "on storage", "kept");
  }

  @Test
  void tornTailIsCutOff() throws IOException {
    Files.write(log(), new byte[100], StandardOpenOption.APPEND);
    drained();
    assertThat(read()).containsExactly(4, 5, 6);
  }

  @Test
  void truncatedLogIsRefused() throws IOException {
    try (FileChannel channel = FileChannel.open(log(), StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 60);
    }
    refuses(CorruptFileException.class, "damaged");
  }

  @Test
  void otherContentIsNoLog() throws IOException {
    Files.write(log(), new byte[500]);
    refuses(CorruptFileException.class, "start of a log");
  }

  @Test
  void logOfAnotherFileOfThatNameIsRefused() throws IOException {
    Path mine = log();
    Path other = Files.createDirectory(folder.resolve("other"));
    Path same = other.resolve("a.h5");
    try (Session session = session("manual");
        H5File made = session.create(same)) {
      made.createDataset("x", new int[] {9, 9, 9});
    }
    Files.copy(
        FileLogs.status(same).orElseThrow().log(), mine, StandardCopyOption.REPLACE_EXISTING);
    refuses(CorruptFileException.class, "another file");
  }

  @Test
  void movedFileIsNotTakenForTheLogged() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    for (String each : new String[] {"a.h5", ".a.h5.hyperslab-part", ".a.h5.hyperslab-log"}) {
      Files.copy(folder.resolve(each), other.resolve(each));
    }
    file = other.resolve("a.h5");
    assertThatThrownBy(this::drained)
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("expected=of");
    file = folder.resolve("a.h5");
  }

  @Test
  void logThatOthersMayWriteIsRefused() throws IOException {
    Files.setPosixFilePermissions(log(), PosixFilePermissions.fromString("rw-rw-rw-"));
    refuses(InvalidUseException.class, "others");
  }

  @Test
  void logInUseIsNotMigratedByAnother() {
    drained();
    try (Session session = session("close");
        H5File edited = session.openForEdit(file)) {
      edited.dataset("x").write(new int[] {7, 8, 9});
      edited.flush();
      assertThat(FileLogs.status(file).orElseThrow().isInUse()).isTrue();
      assertThatThrownBy(this::drained).isInstanceOf(StorageException.class);
      assertThatThrownBy(() -> FileLogs.discard(file)).isInstanceOf(StorageException.class);
      try (Session other = session("close")) {
        assertThatThrownBy(() -> other.openForEdit(file)).isInstanceOf(StorageException.class);
      }
      assertThat(edited.dataset("x").readInts()).containsExactly(7, 8, 9);
    }
    assertThat(read()).containsExactly(7, 8, 9);
  }

  @Test
  void folderThatOthersMayWriteIsRefused() throws IOException {
    Files.setPosixFilePermissions(logs, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> session("close"))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("others may replace files");
  }

  @Test
  void ranksAndServersBelowAreRefused() {
    assertThatThrownBy(() -> Hdf5.session("log path=" + logs + " | log path=" + logs + " | native"))
        .hasMessageContaining("log");
  }

  private static void overwrite(Path path, long at) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}), at);
    }
  }
}
