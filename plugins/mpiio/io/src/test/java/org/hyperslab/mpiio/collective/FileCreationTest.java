package org.hyperslab.mpiio.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.file.MpiFile;
import org.hyperslab.mpiio.hint.Hints;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests hints for the creation of files, and the report of hints that have no effect. */
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
    Hints hints = Hints.parse("file_perm=600 access_style=random striping_factor=3 nobody_knows=1");
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
                    "; ignored hints: nobody_knows, access_style=random, striping_factor for the"
                        + " file itself");
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }
}
