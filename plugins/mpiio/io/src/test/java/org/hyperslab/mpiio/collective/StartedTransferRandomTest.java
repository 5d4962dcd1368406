package org.hyperslab.mpiio.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.store.FileRangeLock;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.mpiio.waiting.Backoff;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests random collective transfers, several at a time on one file, driven without waiting: they
 * leave the same bytes as blocking ones, and every buffer is returned.
 */
final class StartedTransferRandomTest {

  private static final byte FILLER = 0x5c;
  private static final int MAX_AT_A_TIME = 4;

  private static final List<String> ALGORITHMS =
      List.of(
          "auto",
          "two-phase hyperslab_domains=even",
          "two-phase hyperslab_domains=lustre striping_unit=64",
          "two-phase hyperslab_domains=cyclic hyperslab_block=77",
          "two-phase hyperslab_assignment=reversed",
          "dynamic",
          "static",
          "individual romio_ds_write=enable romio_ds_read=enable",
          "turns");

  /** Workers wait for locks that other accesses of their rank may hold: never the rank's thread. */
  private static final Executor OTHER_THREADS = task -> Thread.ofVirtual().start(task);

  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final LongAdder transfers = new LongAdder();

  @TempDir private Path folder;

  @AfterEach
  void endThreads() {
    threads.shutdown();
  }

  @Test
  void startedTransfersWriteTheSameBytesAsBlockingOnes() {
    Seeds.runFixed(Effort.times(30, 100), random -> compare(random, false));
    assertThat(transfers.sum()).isGreaterThan(Effort.times(100, 250));
  }

  /** Of files, whose requests the kernel executes if it can. */
  @Test
  void requestsOfTheKernelWriteTheSameBytes() {
    Seeds.runFixed(Effort.times(15, 300), random -> compare(random, true));
    assertThat(transfers.sum()).isGreaterThan(50);
  }

  /** Runs about 40,000 schedules; with new seeds in campaigns ({@code -Dhyperslab.fresh=true}). */
  @Campaign
  @Test
  void manyProgramsWriteTheSameBytesAsBlockingTransfers() {
    Seeds.run(Effort.times(1, 10_000), random -> compare(random, false));
  }

  /** Patterns without common bytes in one file, with the same number of ranks. */
  private void compare(Random random, boolean files) {
    int ranks = 1 + random.nextInt(6);
    int accesses = 1 + random.nextInt(MAX_AT_A_TIME);
    List<AccessPattern> patterns =
        random.nextBoolean()
            ? separate(random, ranks, accesses)
            : AccessPattern.interleaved(random, ranks, accesses);
    Hints hints = files ? hints(random).with(Hints.REQUESTS, "io_uring") : hints(random);
    byte[] before = new byte[random.nextInt(MAX_AT_A_TIME * AccessPattern.MAX_SPAN)];
    random.nextBytes(before);
    long seed = random.nextLong();
    byte[] expected = written(patterns, before, hints, seed, true);
    byte[] actual = written(patterns, before, hints, seed, false);
    if (patterns.stream().allMatch(AccessPattern::isDisjoint)) {
      assertThat(actual).as("%s of %s", hints, patterns).isEqualTo(expected);
      return;
    }
    for (AccessPattern pattern : patterns) {
      assertThat(pattern.wrong(from(before, pattern), from(actual, pattern)))
          .as("%s of %s", hints, pattern)
          .isNull();
    }
  }

  /** Returns patterns in separate regions. */
  private static List<AccessPattern> separate(Random random, int ranks, int accesses) {
    List<AccessPattern> patterns = new ArrayList<>();
    long base = 0;
    for (int i = 0; i < accesses; i++) {
      patterns.add(AccessPattern.random(random, ranks, base));
      base += AccessPattern.MAX_SPAN + random.nextInt(100);
    }
    return patterns;
  }

  private static byte[] from(byte[] all, AccessPattern pattern) {
    int start = (int) Math.min(all.length, pattern.base);
    int end = (int) Math.min(all.length, pattern.base + AccessPattern.MAX_SPAN);
    return Arrays.copyOfRange(all, start, end);
  }

  private static Hints hints(Random random) {
    Hints hints =
        Hints.parse("hyperslab_collective=" + ALGORITHMS.get(random.nextInt(ALGORITHMS.size())));
    return hints
        .with("cb_buffer_size", Integer.toString(8 + random.nextInt(3000)))
        .with("cb_nodes", Integer.toString(random.nextInt(5)))
        .with("hyperslab_shared_memory", random.nextBoolean() ? "enable" : "disable");
  }

  /** Writes all patterns, reads them back, and returns the file. */
  private byte[] written(
      List<AccessPattern> patterns, byte[] before, Hints hints, long seed, boolean blocking) {
    ByteStore store =
        hints.startsRequestsInKernel()
            ? FileStore.open(folder.resolve("file"), FileAccess.TRUNCATE)
            : new MemoryStore("started");
    store.write(0, MemorySegment.ofArray(before));
    ThreadWorld.of(patterns.getFirst().ranks())
        .withTimeLimit(Duration.ofMinutes(2))
        .run(comm -> {
          try (CollectiveIo io = CollectiveIo.open(comm, store, hints, FileSystemTraits.local())) {
            io.prepare();
            Rank rank =
                new Rank(
                    comm,
                    io,
                    new Random(seed + comm.rank()),
                    blocking,
                    hints.buffering().bufferBytes());
            rank.write(patterns);
            comm.barrier();
            rank.readBack(patterns, store);
          }
        });
    byte[] after = new byte[(int) store.size()];
    store.read(0, MemorySegment.ofArray(after));
    store.close();
    return after;
  }

  /** One rank of a case. */
  private final class Rank {
    private final Communicator comm;
    private final CollectiveIo io;
    private final Random random;
    private final boolean blocking;
    private final long bufferBytes;

    Rank(Communicator comm, CollectiveIo io, Random random, boolean blocking, long bufferBytes) {
      this.bufferBytes = bufferBytes;
      this.comm = comm;
      this.io = io;
      this.random = random;
      this.blocking = blocking;
    }

    void write(List<AccessPattern> patterns) {
      boolean confined = random.nextBoolean();
      try (Arena arena = confined ? Arena.ofConfined() : Arena.ofShared()) {
        List<StartedTransfer> started = new ArrayList<>();
        for (AccessPattern pattern : patterns) {
          ExtentRuns list = pattern.lists.get(comm.rank());
          MemoryExtents memory = pattern.memory(comm.rank(), arena, FILLER);
          pattern.fill(comm.rank(), memory);
          if (blocking) {
            io.write(list, memory);
          } else {
            started.add(io.startWrite(list, memory, helpers(confined)));
          }
        }
        drive(started);
        started.forEach(transfer -> checkMemory(transfer.outcome(), started.size()));
      }
    }

    void readBack(List<AccessPattern> patterns, ByteStore store) {
      boolean confined = random.nextBoolean();
      byte[] content = new byte[(int) store.size()];
      store.read(0, MemorySegment.ofArray(content));
      try (Arena arena = confined ? Arena.ofConfined() : Arena.ofShared()) {
        List<StartedTransfer> started = new ArrayList<>();
        List<MemoryExtents> memories = new ArrayList<>();
        for (AccessPattern pattern : patterns) {
          ExtentRuns list = pattern.lists.get(comm.rank());
          MemoryExtents memory = pattern.memory(comm.rank(), arena, FILLER);
          memories.add(memory);
          if (blocking) {
            io.read(list, memory);
          } else {
            started.add(io.startRead(list, memory, helpers(confined)));
          }
        }
        drive(started);
        for (int i = 0; i < patterns.size(); i++) {
          AccessPattern pattern = patterns.get(i);
          assertThat(AccessPattern.packed(memories.get(i)))
              .isEqualTo(pattern.expected(comm.rank(), from(content, pattern)));
        }
        started.forEach(transfer -> checkMemory(transfer.outcome(), started.size()));
      }
    }

    /**
     * Checks the memory of transfers: the buffers of each fit the hint. Sieving has buffers that
     * other hints bound.
     */
    private void checkMemory(CollectiveOutcome outcome, int atATime) {
      if (!outcome.algorithm().equals("individual")) {
        assertThat(outcome.peakBufferBytes())
            .as("%s with buffers of %s", outcome.algorithm(), bufferBytes)
            .isLessThanOrEqualTo(atATime * bufferBytes);
      }
    }

    private StartedTransfer.Helpers helpers(boolean confined) {
      Executor workers = random.nextBoolean() ? threads : OTHER_THREADS;
      return io.helpers(confined ? null : workers, () -> {}, null);
    }

    /** Asks transfers in any order until all have ended. */
    private void drive(List<StartedTransfer> started) {
      List<StartedTransfer> left = new ArrayList<>(started);
      transfers.add(comm.rank() == 0 ? started.size() : 0);
      Backoff pauses = new Backoff(comm.ticker());
      while (!left.isEmpty()) {
        StartedTransfer next = left.get(random.nextInt(left.size()));
        if (next.advance(random.nextInt(4) == 0)) {
          left.remove(next);
          pauses.reset();
        } else {
          pauses.pause();
        }
      }
    }
  }

  private static StartedTransfer.Helpers helpers(CollectiveIo io) {
    return io.helpers(Runnable::run, () -> {}, null);
  }

  @Test
  void failureOfOneRankIsThrownOnAllWhileTransfersContinue() {
    MemoryStore store = new MemoryStore("failing");
    ThreadWorld.of(3)
        .withTimeLimit(Duration.ofMinutes(2))
        .run(comm -> {
          try (CollectiveIo io =
              CollectiveIo.open(comm, store, Hints.defaults(), FileSystemTraits.local())) {
            io.prepare();
            MemoryExtents ten = MemoryExtents.contiguous(MemorySegment.ofArray(new byte[10]));
            long length = comm.rank() == 1 ? 11 : 10;
            StartedTransfer wrong =
                io.startWrite(ExtentRuns.of(comm.rank() * 20L, length), ten, helpers(io));
            StartedTransfer right =
                io.startWrite(ExtentRuns.of(100 + comm.rank() * 10L, 10), ten, helpers(io));
            new Rank(comm, io, new Random(1), false, 0).drive(List.of(wrong, right));
            assertThat(right.outcome().all().bytesWritten()).isEqualTo(30);
            assertThat(catchThrowableOfType(InvalidUseException.class, wrong::outcome))
                .hasMessageContaining("10 bytes of memory")
                .hasMessageContaining("rank 1 of 3");
          }
        });
  }

  @Test
  void failureOfOneRankInAtomicModeEndsTheTransferOnAll() {
    MemoryStore store = new MemoryStore("atomic");
    ThreadWorld.of(3)
        .withTimeLimit(Duration.ofMinutes(2))
        .run(comm -> {
          try (CollectiveIo io =
              CollectiveIo.open(comm, store, Hints.defaults(), FileSystemTraits.local())) {
            io.prepare();
            MemoryExtents ten = MemoryExtents.contiguous(MemorySegment.ofArray(new byte[10]));
            StartedTransfer wrong =
                io.startWrite(
                    ExtentRuns.of(comm.rank() * 20L, comm.rank() == 1 ? 11 : 10),
                    ten,
                    io.helpers(null, () -> {}, FileRangeLock.amongThreads("atomic lock")));
            new Rank(comm, io, new Random(1), false, 0).drive(List.of(wrong));
            assertThat(catchThrowableOfType(InvalidUseException.class, wrong::outcome))
                .hasMessageContaining("10 bytes of memory")
                .hasMessageContaining("rank 1 of 3");
          }
        });
  }
}
