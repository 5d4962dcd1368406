package org.hyperslab.mpiio.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a range locked by one process cannot be locked by another, regardless of other calls
 * of the first.
 */
final class FileRangeLockTest {

  @TempDir private Path folder;

  private Path file;

  @BeforeEach
  void makeFile() throws IOException {
    file = Files.write(folder.resolve("file"), new byte[100]);
  }

  /** Whether another process gets a range. */
  private boolean anotherGets(int from, int bytes) {
    Oracle.Outcome said =
        Oracle.program("/usr/bin/python3")
            .run(
                "-c",
                "import fcntl, sys\n"
                    + "f = open(sys.argv[1], 'r+b')\n"
                    + "try:\n"
                    + "  fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB, int(sys.argv[3]),"
                    + " int(sys.argv[2]))\n"
                    + "  print('got')\n"
                    + "except OSError:\n"
                    + "  print('held')\n",
                file.toString(),
                Integer.toString(from),
                Integer.toString(bytes))
            .orFail();
    return said.output().strip().equals("got");
  }

  @Test
  void otherProcessWaitsOnlyForTheRange() {
    try (FileRangeLock lock = FileRangeLock.amongProcesses(file)) {
      lock.lock(10, 20);
      assertThat(anotherGets(19, 5)).isFalse();
      assertThat(anotherGets(20, 5)).isTrue();
      assertThat(anotherGets(0, 10)).isTrue();
      lock.unlock();
      assertThat(anotherGets(0, 100)).isTrue();
    }
  }

  @Test
  void closingTheFileElsewhereReleasesNoLock() throws IOException {
    try (FileRangeLock lock = FileRangeLock.amongProcesses(file)) {
      lock.lock(10, 20);
      FileChannel.open(file, StandardOpenOption.READ).close();
      FileRangeLock.amongProcesses(file).close();
      try (FileRangeLock other = FileRangeLock.amongProcesses(file)) {
        other.lock(50, 60);
      }
      assertThat(anotherGets(10, 10)).isFalse();
      assertThat(anotherGets(50, 10)).isTrue();
    }
  }

  @Test
  void ranksOfOneProcessExcludeEachOther() {
    try (FileRangeLock first = FileRangeLock.amongProcesses(file);
        FileRangeLock second = FileRangeLock.amongProcesses(file)) {
      AtomicBoolean given = new AtomicBoolean();
      first.lock(0, 10);
      CompletableFuture<Boolean> waiting =
          CompletableFuture.supplyAsync(() -> {
            second.lock(5, 15);
            return given.get();
          });
      given.set(true);
      first.unlock();
      assertThat(waiting.join()).as("the second came after the first").isTrue();
    }
  }
}
