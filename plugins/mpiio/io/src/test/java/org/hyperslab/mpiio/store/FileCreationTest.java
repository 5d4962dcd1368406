package org.hyperslab.mpiio.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.file.MemoryBuffer;
import org.hyperslab.mpiio.hint.Hints;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests hints about files, and the report of hints that have no effect. */
final class FileCreationTest {

  @TempDir private Path folder;

  @AfterEach
  void forget() {
    System.clearProperty(LustreStriping.COMMAND);
  }

  /** A command that records its arguments and creates the file that the last one names. */
  private void fakeCommand(int exit) throws IOException {
    Path command = folder.resolve("lfs");
    String asked = folder.resolve("asked").toString();
    Files.writeString(
        command,
        "#!/bin/sh\necho \"$@\" >> "
            + asked
            + "\n[ "
            + exit
            + " = 0 ] && for f; do :; done && : > \"$f\"\n"
            + "exit "
            + exit
            + "\n");
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
    System.setProperty(LustreStriping.COMMAND, command.toString());
  }

  @Test
  void newLustreFileIsStripedAccordingToHints() throws IOException {
    fakeCommand(0);
    Hints hints = Hints.parse("striping_factor=8 striping_unit=4194304 file_perm=640");
    Path file = folder.resolve("new");
    assertThat(FileCreation.make(file, "lustre", hints)).isTrue();
    assertThat(folder.resolve("asked")).hasContent("setstripe -c 8 -S 4194304 " + file);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r-----");
    assertThat(FileCreation.make(file, "lustre", hints)).as("it is there").isFalse();
    assertThat(folder.resolve("asked")).content().hasLineCount(1);
  }

  @Test
  void createsAFileThatCannotBeStriped() throws IOException {
    fakeCommand(1);
    Path file = folder.resolve("new");
    assertThat(FileCreation.make(file, "lustre", Hints.parse("striping_factor=8"))).isFalse();
    assertThat(FileCreation.make(file, "ext4", Hints.parse("striping_factor=8 file_perm=600")))
        .isTrue();
    assertThat(file).isEmptyFile();
  }

  @Test
  void permissionsAreThoseOfTheHintAndIgnoredHintsAreNamed() {
    Path file = folder.resolve("shared");
    Hints hints =
        Hints.parse("file_perm=600 striping_factor=3 nobody_knows=1")
            .with("access_style", "random,write_mostly");
    ThreadWorld.run(
        2,
        comm -> {
          Set<AccessMode> modes =
              Set.of(AccessMode.CREATE, AccessMode.EXCLUSIVE, AccessMode.READ_WRITE);
          try (MpiFile open = MpiFile.open(comm, file, modes, hints)) {
            assertThat(Files.getPosixFilePermissions(file))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            assertThat(open.explain())
                .endsWith(
                    "; ignored hints: nobody_knows, access_style=write_mostly, striping_factor for"
                        + " the file itself");
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void readsOfRandomStyleDoNotReadAhead() throws IOException {
    assumeTrue(!Files.getFileStore(folder).type().equals("tmpfs"), "no page cache of its own");
    Path path = folder.resolve("random");
    int page = 4096;
    try (FileStore store = FileStore.open(path, FileAccess.CREATE_NEW)) {
      store.write(0, MemorySegment.ofArray(new byte[64 * page]));
      store.force(true);
      store.expectAccess(true, false, 0); // drops what is read
      store.read(0, MemorySegment.ofArray(new byte[64 * page]));
    }
    Hints hints = Hints.parse("access_style=random");
    ThreadWorld.run(
        2,
        comm -> {
          MemorySegment memory = MemorySegment.ofArray(new byte[page]);
          try (MpiFile open = MpiFile.open(comm, path, Set.of(AccessMode.READ_ONLY), hints)) {
            assertThat(open.explain()).doesNotContain("ignored");
            open.readAtAll(16L * page * comm.rank(), MemoryBuffer.of(memory));
          }
        });
    try (FileChannel channel = FileChannel.open(path)) {
      for (int at : new int[] {0, 1, 16, 17}) {
        assertThat(channel.map(FileChannel.MapMode.READ_ONLY, (long) at * page, page).isLoaded())
            .as("page " + at)
            .isEqualTo(at % 16 == 0);
      }
    }
  }
}
