package org.hyperslab.mpiio.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hyperslab.error.MpiException;
import org.hyperslab.error.StorageException;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.waiting.LeapingTicker;
import org.hyperslab.mpiio.waiting.Ticker;
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

  private static FileRangeLock.Limit limit(int rank, Ticker ticker, long millis) {
    return new FileRangeLock.Limit(rank, ticker, TimeUnit.MILLISECONDS.toNanos(millis));
  }

  @Test
  void rankThatHoldsARangeIsAbandoned() {
    try (FileRangeLock kept =
            FileRangeLock.amongThreads("kept").limited(limit(3, Ticker.SYSTEM, 20));
        FileRangeLock wanting =
            FileRangeLock.amongThreads("kept").limited(limit(1, Ticker.SYSTEM, 20))) {
      kept.lock(0, 10);
      assertThatThrownBy(() -> wanting.lock(5, 15))
          .isInstanceOfSatisfying(MpiException.class, e -> assertThat(e.rank()).isEqualTo(3))
          .hasMessageContaining("bytes 5 to 14 of kept have been held by rank 3 (bytes 0 to 9)")
          .hasMessageContaining("for 20 ms")
          .hasMessageContaining("hyperslab_deadline");
      wanting.lock(10, 15);
      wanting.unlock();
      kept.unlock();
      wanting.lock(5, 15);
      assertThat(FileRangeLock.isUsed("kept")).isTrue();
    }
    assertThat(FileRangeLock.isUsed("kept")).as("in the table of this JVM").isFalse();
  }

  @Test
  void queueOfSlowHoldersIsNoError() {
    int ranks = 4;
    long slowNanos = TimeUnit.SECONDS.toNanos(50);
    long[] ended = new long[ranks];
    ThreadWorld.of(ranks)
        .withTicker(new LeapingTicker())
        .run(comm -> {
          Ticker ticker = comm.ticker();
          FileRangeLock.Limit minute = limit(comm.rank(), ticker, 60_000);
          try (FileRangeLock lock = FileRangeLock.amongThreads("queue").limited(minute)) {
            lock.lock(0, 10);
            long start = ticker.nanoTime();
            while (ticker.nanoTime() - start < slowNanos) {
              ticker.parkNanos(lock, slowNanos - (ticker.nanoTime() - start));
            }
            ended[comm.rank()] = ticker.nanoTime();
            lock.unlock();
          }
        });
    assertThat(Arrays.stream(ended).max().orElseThrow())
        .as("one after the other")
        .isGreaterThanOrEqualTo(ranks * slowNanos);
  }

  @Test
  void processThatHoldsARangeIsAbandoned() throws IOException {
    Process python =
        new ProcessBuilder(
                "/usr/bin/python3",
                "-c",
                "import fcntl, sys\n"
                    + "f = open(sys.argv[1], 'r+b')\n"
                    + "fcntl.lockf(f, fcntl.LOCK_EX, 10, 20)\n"
                    + "print('held', flush=True)\n"
                    + "sys.stdin.read()\n",
                file.toString())
            .start();
    try (FileRangeLock lock =
            FileRangeLock.amongProcesses(file).limited(limit(0, Ticker.SYSTEM, 60));
        BufferedReader said = python.inputReader()) {
      assertThat(said.readLine()).isEqualTo("held");
      assertThatThrownBy(() -> lock.lock(25, 35))
          .isInstanceOf(MpiException.class)
          .hasMessageContaining("process " + python.pid() + " of this machine (bytes 20 to 29)")
          .hasMessageContaining("for 60 ms");
      lock.lock(30, 35);
      lock.unlock();
      python.getOutputStream().close();
      lock.limited(limit(0, Ticker.SYSTEM, 60_000)).lock(25, 35);
      assertThat(anotherGets(25, 10)).isFalse();
    } finally {
      python.destroy();
    }
  }

  @Test
  void interruptedThreadDoesNotWait() {
    try (FileRangeLock kept = FileRangeLock.amongThreads("interrupted");
        FileRangeLock wanting = FileRangeLock.amongThreads("interrupted")) {
      kept.lock(0, 10);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> wanting.lock(0, 10))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("actual=interrupted");
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void findsRangesInTheSystemsLists() {
    String list =
        """
        pos:\t0
        lock:\t1: OFDLCK ADVISORY  WRITE -1 fe:00:77 20 29
        lock:\t2: FLOCK  ADVISORY  WRITE 12 fe:00:77 0 EOF
        lock:\t3: POSIX  ADVISORY  WRITE 12 fe:00:78 100 EOF
        """;
    assertThat(LockHolder.overlap(list, "77", 29, 40)).isEqualTo("20 to 29");
    assertThat(LockHolder.overlap(list, "77", 30, 40)).isNull();
    assertThat(LockHolder.overlap(list, "77", 0, 20)).isNull();
    assertThat(LockHolder.overlap(list, "78", 5000, 5001)).isEqualTo("100 to the end");
  }
}
