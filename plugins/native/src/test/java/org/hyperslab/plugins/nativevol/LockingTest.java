package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Scanner;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.Locking;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Dialogue;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the opening of a file that is already open: in this JVM, in another JVM, in the C library.
 */
final class LockingTest {

  private static final Map<String, String> LOCKED = Map.of("HDF5_USE_FILE_LOCKING", "TRUE");
  private static final Map<String, String> FREE = Map.of("HDF5_USE_FILE_LOCKING", "FALSE");

  /** Opens and closes a file as its input commands, and prints the results. */
  private static final String LIBRARY =
      """
      import sys, h5py
      f = None
      print('ready')
      for line in sys.stdin:
          try:
              if line.strip() == 'close':
                  f.close()
              else:
                  f = h5py.File(sys.argv[1], line.strip())
              print('ok')
          except Exception as e:
              print('refused ' + str(e).replace(chr(10), ' '))
      """;

  private static final int FLAGS_OFFSET = 11;

  @TempDir private Path folder;
  private Path path;

  @BeforeEach
  void createFile() {
    path = folder.resolve("locked.h5");
    try (H5File file =
        Hdf5.create(
            path, CreateOptions.DEFAULT.withBounds(FormatVersion.V110, FormatVersion.V110))) {
      file.createDataset("d", new int[] {1, 2, 3});
    }
  }

  private Dialogue library(Map<String, String> environment) {
    Dialogue library = Dialogue.h5py(LIBRARY, environment, path.toString());
    assertThat(library.hear()).isEqualTo("ready");
    return library;
  }

  private Dialogue jvm(Map<String, String> environment) {
    Dialogue jvm = Dialogue.java(Opener.class, environment, path.toString());
    assertThat(jvm.hear()).isEqualTo("ready");
    return jvm;
  }

  private void excludes(Dialogue other, String writing) {
    assertThat(other.ask(writing)).isEqualTo("ok");
    assertThatThrownBy(() -> Hdf5.open(path))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("file is locked")
        .hasMessageContaining("process " + other.pid());
    assertThatThrownBy(() -> Hdf5.open(path, OpenOptions.EDIT))
        .isInstanceOf(StorageException.class);
    assertThatThrownBy(() -> Hdf5.create(path)).isInstanceOf(StorageException.class);
    refusesDeletion(other);
    assertThat(other.ask("close")).isEqualTo("ok");
    assertThat(other.ask("r")).isEqualTo("ok");
    Hdf5.open(path).close();
    refusesDeletion(other);
    assertThatThrownBy(() -> Hdf5.open(path, OpenOptions.EDIT))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("process " + other.pid());
    assertThat(other.ask("close")).isEqualTo("ok");
    Hdf5.open(path, OpenOptions.EDIT).close();
  }

  private void refusesDeletion(Dialogue other) {
    assertThatThrownBy(() -> Hdf5.delete(path))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("file is locked")
        .hasMessageContaining("process " + other.pid());
    assertThat(path).exists();
  }

  private void isExcluded(Dialogue other, String writing) {
    try (H5File editing = Hdf5.open(path, OpenOptions.EDIT)) {
      assertThat(editing.isWritable()).isTrue();
      assertThat(other.ask("r")).startsWith("refused");
      assertThat(other.ask(writing)).startsWith("refused");
    }
    try (H5File reading = Hdf5.open(path)) {
      assertThat(reading.isWritable()).isFalse();
      assertThat(other.ask(writing)).startsWith("refused");
      assertThat(other.ask("r")).isEqualTo("ok");
      assertThat(other.ask("close")).isEqualTo("ok");
    }
    assertThat(other.ask(writing)).isEqualTo("ok");
    assertThat(other.ask("close")).isEqualTo("ok");
  }

  @Test
  void lockOfTheLibraryRefusesOurOpening() {
    try (Dialogue library = library(LOCKED)) {
      excludes(library, "r+");
    }
  }

  @Test
  void ourLockRefusesTheLibrarysOpening() {
    try (Dialogue library = library(LOCKED)) {
      isExcluded(library, "r+");
    }
  }

  @Test
  void lockOfAnotherJvmRefusesOurOpening() {
    try (Dialogue jvm = jvm(LOCKED)) {
      excludes(jvm, "r+");
    }
  }

  @Test
  void ourLockRefusesAnotherJvmsOpening() {
    try (Dialogue jvm = jvm(LOCKED)) {
      isExcluded(jvm, "r+");
    }
  }

  @Test
  void environmentVariableDisablesLocks() {
    try (Dialogue jvm = jvm(FREE);
        H5File reading = Hdf5.open(path)) {
      assertThat(reading.isWritable()).isFalse();
      assertThat(jvm.ask("r+")).isEqualTo("ok");
      assertThat(jvm.ask("close")).isEqualTo("ok");
    }
  }

  @Test
  void withoutALockTheFlagsKeepTheLibraryOut() throws IOException {
    OpenOptions free = OpenOptions.EDIT.withLocking(Locking.OFF);
    try (Dialogue library = library(FREE)) {
      try (H5File editing = Hdf5.open(path, free)) {
        assertThat(editing.isWritable()).isTrue();
        assertThat(Files.readAllBytes(path)[FLAGS_OFFSET]).isEqualTo((byte) 1);
        assertThat(library.ask("r")).startsWith("refused").contains("already open for write");
      }
      assertThat(Files.readAllBytes(path)[FLAGS_OFFSET]).isZero();
      assertThat(library.ask("r")).isEqualTo("ok");
    }
  }

  @Test
  void flagsThatTheLibraryLeftAreClearedByItsOwnTool() {
    OpenOptions free = OpenOptions.EDIT.withLocking(Locking.OFF);
    try (Dialogue library = library(FREE)) {
      assertThat(library.ask("r+")).isEqualTo("ok");
      assertThatThrownBy(() -> Hdf5.open(path, free))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("marked as open for writing");
      library.kill();
    }
    assertThatThrownBy(() -> Hdf5.open(path)).isInstanceOf(StorageException.class);
    Oracle.program("h5clear").run("-s", path.toString()).orFail();
    Hdf5.open(path).close();
  }

  @Test
  void killedWriterLeavesNoLock() {
    try (Dialogue jvm = jvm(LOCKED)) {
      assertThat(jvm.ask("r+")).isEqualTo("ok");
      jvm.kill();
    }
    Hdf5.open(path, OpenOptions.EDIT).close();
    Oracle.h5dump().run(path.toString()).orFail();
  }

  /** As the script above, with this library. */
  static final class Opener {
    private Opener() {}

    /** Reads {@code r}, {@code r+} and {@code close}. */
    public static void main(String[] arguments) {
      H5File file = null;
      System.out.println("ready");
      try (Scanner lines = new Scanner(System.in)) {
        while (lines.hasNextLine()) {
          String line = lines.nextLine();
          try {
            if (line.equals("close")) {
              file.close();
            } else {
              file =
                  Hdf5.open(
                      Path.of(arguments[0]), OpenOptions.READ.withWritable(line.equals("r+")));
            }
            System.out.println("ok");
          } catch (HyperslabException refused) {
            System.out.println("refused " + refused.getMessage());
          }
        }
      }
    }
  }

  @Test
  void aLockOfThisProgramItselfIsNamed() {
    if (!Files.exists(Path.of("/proc/locks"))) {
      return;
    }
    try (H5File open = Hdf5.openForEdit(path);
        Session apart = Hdf5.session("native")) {
      assertThatThrownBy(() -> apart.open(path).close())
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("this program itself")
          .hasMessageContaining("without locking");
      open.flush();
    }
    try (Session apart = Hdf5.session("native")) {
      apart.open(path).close();
    }
  }

  @Test
  void filesOfLivingSwmrWritersAreNeitherReplacedNorDeleted() {
    Path followed = folder.resolve("followed.h5");
    OpenOptions swmr = OpenOptions.EDIT.withSwmr(true);
    try (Session writing = Hdf5.session("native");
        Session others = Hdf5.session("native")) {
      try (H5File writer =
          writing.create(followed.toString(), CreateOptions.DEFAULT.withAccess(swmr))) {
        writer.createDataset("d", new int[] {1, 2});
        writer.flush();
        assertThatThrownBy(() -> others.create(followed)).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> others.delete(followed)).isInstanceOf(StorageException.class);
        assertThat(
                LibraryJudge.python(
                    "print(h5py.File(sys.argv[1], 'r', swmr=True, libver='latest')['d'][:])",
                    followed))
            .isEqualTo("[1 2]");
      }
      others.delete(followed);
      assertThat(followed).doesNotExist();
    }
  }

  @Test
  void unlockedFilesAreDeletedWhateverTheyAre() throws IOException {
    Hdf5.delete(path);
    assertThat(path).doesNotExist();
    assertThatThrownBy(() -> Hdf5.delete(path)).isInstanceOf(NotFoundException.class);
    Path link = Files.createSymbolicLink(folder.resolve("dangling.h5"), path);
    Hdf5.delete(link);
    assertThat(Files.isSymbolicLink(link)).isFalse();
    Path readOnly = Files.write(folder.resolve("read-only.h5"), new byte[1]);
    assertThat(readOnly.toFile().setReadOnly()).isTrue();
    Hdf5.delete(readOnly);
    assertThat(readOnly).doesNotExist();
  }

  @Test
  void aFileThatAnotherSessionHasOpenIsNotDeleted() {
    if (!Files.exists(Path.of("/proc/locks"))) {
      return;
    }
    try (Session other = Hdf5.session("native");
        H5File file = other.openForEdit(path)) {
      assertThatThrownBy(() -> Hdf5.delete(path))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("this program itself");
      assertThat(file.dataset("d").readInts()).containsExactly(1, 2, 3);
    }
    Hdf5.delete(path);
    assertThat(path).doesNotExist();
  }
}
