package org.hyperslab.mpiio.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.FailureSamples;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.mpiio.waiting.LeapingTicker;
import org.hyperslab.testkit.store.CountingStore;
import org.hyperslab.testkit.store.FaultStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CollectiveIoTest {

  private static final int RANKS = 16;
  private static final int BLOCK = 128;
  private static final int TURNS = 512;

  private static CollectiveIo open(Communicator comm, ByteStore store, String hints) {
    return CollectiveIo.open(comm, store, Hints.parse(hints), FileSystemTraits.local());
  }

  private static ExtentRuns cyclic(int rank) {
    return ExtentRuns.strided((long) rank * BLOCK, BLOCK, (long) RANKS * BLOCK, TURNS);
  }

  private static MemoryExtents filled(long bytes, int value) {
    MemorySegment segment = MemorySegment.ofArray(new byte[(int) bytes]);
    return MemoryExtents.contiguous(segment.fill((byte) value));
  }

  @ParameterizedTest
  @ValueSource(strings = {"enable", "disable"})
  void smallCyclicBlocksNeedFiftyTimesFewerRequestsThanBlocks(String sharedMemory) {
    long each = requests("hyperslab_collective=turns");
    long ours = requests("hyperslab_shared_memory=" + sharedMemory);
    assertThat(each).isEqualTo((long) RANKS * TURNS);
    assertThat(ours).isLessThanOrEqualTo(each / 50);
  }

  private static long requests(String hints) {
    CountingStore store = new CountingStore(new MemoryStore("requests"));
    List<CollectiveOutcome> outcomes = new CopyOnWriteArrayList<>();
    ThreadWorld.run(
        RANKS,
        comm -> {
          try (CollectiveIo io = open(comm, store, hints)) {
            outcomes.add(io.write(cyclic(comm.rank()), filled((long) BLOCK * TURNS, comm.rank())));
          }
        });
    long counted = store.counts().writes() + store.counts().reads();
    assertThat(outcomes).allSatisfy(o -> assertThat(o.fileRequests()).isEqualTo(counted));
    assertThat(outcomes)
        .allSatisfy(o -> assertThat(o.fileBytes()).isEqualTo((long) RANKS * BLOCK * TURNS));
    assertThat(outcomes.stream().mapToLong(o -> o.mine().writes()).sum()).isEqualTo(counted);
    return counted;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hyperslab_shared_memory=disable hyperslab_collective=two-phase",
        "hyperslab_shared_memory=disable hyperslab_collective=dynamic",
        "hyperslab_shared_memory=disable hyperslab_collective=static",
        "hyperslab_shared_memory=disable hyperslab_domains=cyclic hyperslab_block=1000",
        "hyperslab_shared_memory=enable hyperslab_collective=two-phase"
      })
  void bufferMemoryIsBoundedByTheHint(String hints) {
    int buffer = 40_000;
    MemoryStore store = new MemoryStore("bounded");
    ThreadWorld.run(
        RANKS,
        comm -> {
          try (CollectiveIo io = open(comm, store, hints + " cb_buffer_size=" + buffer)) {
            long bytes = (long) BLOCK * TURNS;
            MemorySegment twice = MemorySegment.ofArray(new byte[(int) (2 * bytes)]);
            MemoryExtents scattered =
                MemoryExtents.builder(twice).addRun(0, BLOCK, 2 * BLOCK, TURNS).build();
            long peak = io.write(cyclic(comm.rank()), scattered).peakBufferBytes();
            assertThat(peak).isLessThanOrEqualTo(buffer);
            peak = io.read(cyclic(comm.rank()), scattered).peakBufferBytes();
            assertThat(peak).isLessThanOrEqualTo(buffer);
            ExtentRuns same = ExtentRuns.of(0, bytes);
            peak = io.read(same, filled(bytes, 0)).peakBufferBytes();
            assertThat(peak).as("all ranks read the same").isLessThanOrEqualTo(buffer);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hyperslab_collective=individual",
        "hyperslab_collective=two-phase hyperslab_shared_memory=enable",
        "hyperslab_collective=two-phase hyperslab_shared_memory=disable cb_buffer_size=5000",
        "hyperslab_collective=dynamic hyperslab_shared_memory=disable cb_buffer_size=5000",
        "hyperslab_collective=static hyperslab_shared_memory=disable cb_buffer_size=5000",
        "hyperslab_collective=turns"
      })
  void failureOfOneRankIsThrownOnAll(String hints) {
    MemoryStore shared = new MemoryStore("faults");
    List<String> messages = new CopyOnWriteArrayList<>();
    ThreadWorld.run(
        RANKS,
        comm -> {
          FaultStore store = new FaultStore(shared);
          if (comm.rank() == 0) {
            store.limitSpace(100);
          }
          try (CollectiveIo io = open(comm, store, hints + " cb_nodes=3")) {
            assertThatThrownBy(() -> io.write(cyclic(comm.rank()), filled((long) BLOCK * TURNS, 1)))
                .isInstanceOf(StorageException.class)
                .satisfies(failure -> messages.add(failure.getMessage()));
            store.limitSpace(Long.MAX_VALUE);
            io.write(cyclic(comm.rank()), filled((long) BLOCK * TURNS, 1));
          }
        });
    assertThat(messages).hasSize(RANKS).containsOnly(messages.get(0));
    assertThat(messages.get(0)).contains("no space left").contains("rank 0 of 16");
  }

  @Test
  void unpackedMessagesAreAsManyAsTheExtentsOfOtherRanks() {
    MemoryStore store = new MemoryStore("unpacked");
    String hints =
        "hyperslab_collective=two-phase cb_nodes=1 hyperslab_shared_memory=disable"
            + " hyperslab_messages=";
    long[] messages = new long[2];
    ThreadWorld.run(
        4,
        comm -> {
          ExtentRuns file = ExtentRuns.strided(comm.rank() * 10L, 10, 40, 100);
          for (int unpacked = 0; unpacked < 2; unpacked++) {
            String all = hints + (unpacked == 1 ? "unpacked" : "packed");
            try (CollectiveIo io = open(comm, store, all)) {
              long sent = io.write(file, filled(1000, comm.rank())).messages();
              if (comm.rank() == 0) {
                messages[unpacked] = sent;
              }
            }
          }
        });
    assertThat(messages).containsExactly(3, 300);
  }

  @Test
  void fiveHundredExtentsAreOneListRequest() {
    CountingStore store = new CountingStore(new MemoryStore("lists"));
    ThreadWorld.run(
        1,
        comm -> {
          try (CollectiveIo io = open(comm, store, "hyperslab_transfer=list")) {
            assertThat(io.writeAlone(cyclic(0), filled(cyclic(0).totalBytes(), 5)).fileRequests())
                .isOne();
            assertThat(store.counts().writes()).isOne();
            MemoryExtents back = filled(cyclic(0).totalBytes(), 0);
            io.readAlone(cyclic(0), back);
            assertThat(store.counts().reads()).isOne();
            assertThat(
                    back.slice(0, back.totalBytes())
                        .mismatch(filled(back.totalBytes(), 5).slice(0, back.totalBytes())))
                .isEqualTo(-1);
            ExtentRuns many = ExtentRuns.strided(0, 1, 3, 2500);
            io.writeAlone(many, filled(2500, 6));
            assertThat(store.counts().writes()).isEqualTo(1 + 3);
          }
        });
  }

  @Test
  void invalidArgumentsOfOneRankFailOnAllRanks() {
    MemoryStore store = new MemoryStore("arguments");
    ThreadWorld.run(
        4,
        comm -> {
          try (CollectiveIo io = open(comm, store, "")) {
            long bytes = comm.rank() == 2 ? 9 : 10;
            assertThatThrownBy(
                    () -> io.write(ExtentRuns.of(comm.rank() * 10L, 10), filled(bytes, 1)))
                .isInstanceOf(InvalidUseException.class)
                .hasMessageContaining("actual=9 bytes of memory, expected=10")
                .hasMessageContaining("rank 2 of 4");
          }
        });
    assertThat(store.size()).isZero();
  }

  @Test
  void readPastTheEndIsAnErrorOnAll() {
    MemoryStore store = MemoryStore.copyOf("short", new byte[1000]);
    ThreadWorld.run(
        4,
        comm -> {
          try (CollectiveIo io = open(comm, store, "hyperslab_collective=two-phase")) {
            assertThatThrownBy(
                    () -> io.read(ExtentRuns.of(comm.rank() * 300L, 300), filled(300, 1)))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("past the end");
          }
        });
  }

  @Test
  void viewsAreDeclaredOnceAndUsedManyTimes() {
    for (String shared : List.of("enable", "disable")) {
      MemoryStore store = new MemoryStore("views");
      ThreadWorld.run(
          4,
          comm -> {
            try (CollectiveIo io =
                open(
                    comm,
                    store,
                    "hyperslab_collective=view cb_buffer_size=999 hyperslab_shared_memory="
                        + shared)) {
              io.declareView(100, ExtentRuns.of(comm.rank() * 7L, 7), 28);
              for (int call = 0; call < 5; call++) {
                byte[] data = new byte[90];
                for (int i = 0; i < data.length; i++) {
                  data[i] = (byte) (comm.rank() + 4 * ((call * 90 + i) % 50));
                }
                MemoryExtents memory = MemoryExtents.contiguous(MemorySegment.ofArray(data));
                io.writeView(call * 90L, memory);
                byte[] back = new byte[90];
                io.readView(call * 90L, MemoryExtents.contiguous(MemorySegment.ofArray(back)));
                assertThat(back).isEqualTo(data);
              }
            }
          });
      byte[] file = store.toByteArray();
      for (int at = 100; at < file.length; at++) {
        int rank = (at - 100) % 28 / 7;
        int packed = (at - 100) / 28 * 7 + (at - 100) % 7;
        if (packed < 450) {
          assertThat(file[at]).isEqualTo((byte) (rank + 4 * (packed % 50)));
        }
      }
    }
  }

  @Test
  void explanationNamesComponentsAndReasons() {
    MemoryStore store = new MemoryStore("explained");
    ThreadWorld.run(
        2,
        comm -> {
          try (CollectiveIo io = open(comm, store, "cb_nodes=2")) {
            io.write(ExtentRuns.strided(comm.rank() * 8L, 8, 16, 100), filled(800, comm.rank()));
            assertThat(io.explain())
                .contains("two-phase (extents of 8 bytes, k=131072")
                .contains("aggregators: ranks [0, 1] (cb_nodes=2)")
                .contains("through shared memory");
            io.readAlone(ExtentRuns.strided(0, 8, 16, 100), filled(800, 0));
            assertThat(io.explain())
                .contains("independent transfer skipping: holes up to 4266 bytes");
          }
        });
  }

  @Test
  void unknownComponentsAreRefusedOnAllRanks() {
    MemoryStore store = new MemoryStore("unknown");
    ThreadWorld.run(
        3,
        comm -> {
          try (CollectiveIo io = open(comm, store, "hyperslab_collective=magic")) {
            assertThatThrownBy(() -> io.write(ExtentRuns.of(0, 1), filled(1, 1)))
                .isInstanceOf(InvalidUseException.class)
                .hasMessageContaining("hyperslab_collective=magic");
          }
        });
  }

  @Test
  void locksKeepSievingRanksApart() {
    MemoryStore store = new MemoryStore("sieved");
    ThreadWorld.run(
        6,
        comm -> {
          String hints = "romio_ds_write=enable ind_wr_buffer_size=400";
          try (CollectiveIo io = open(comm, store, hints)) {
            for (int call = 0; call < 20; call++) {
              io.writeAlone(
                  ExtentRuns.strided(call * 1200L + comm.rank() * 10L, 10, 60, 20),
                  filled(200, comm.rank() + 1));
            }
          }
        });
    byte[] file = store.toByteArray();
    for (int at = 0; at < file.length; at++) {
      assertThat(file[at]).as("byte %s", at).isEqualTo((byte) (at % 60 / 10 + 1));
    }
  }

  @Test
  void failureOfOneRankHasTheSameTypeOnAllRanks() {
    ThreadWorld.run(
        3,
        comm -> {
          for (HyperslabException sample : FailureSamples.all()) {
            try (CollectiveIo io = open(comm, new MemoryStore("same"), "")) {
              assertThatThrownBy(
                      () -> {
                        if (comm.rank() == 1) {
                          io.takePartFailed(sample);
                        }
                        io.write(cyclic(comm.rank()), filled((long) BLOCK * TURNS, comm.rank()));
                      })
                  .isInstanceOf(sample.getClass())
                  .hasMessageContaining("on rank 1 of 3");
            }
          }
        });
  }

  /** As mapped memory throws it whose file was truncated. */
  private static final class Unreachable extends StoreDecorator {
    Unreachable(ByteStore store) {
      super(store);
    }

    @Override
    public void write(long offset, MemorySegment source) {
      throw new InternalError("injected");
    }

    @Override
    public void write(long offset, MemorySegment[] sources) {
      throw new InternalError("injected");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hyperslab_collective=individual",
        "hyperslab_collective=two-phase",
        "hyperslab_collective=two-phase hyperslab_shared_memory=disable cb_buffer_size=5000",
        "hyperslab_collective=static hyperslab_shared_memory=disable cb_buffer_size=5000"
      })
  void errorOfTheJvmOnOneRankIsThrownOnAll(String hints) {
    MemoryStore shared = new MemoryStore("unreachable");
    ThreadWorld.of(4)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          ByteStore store = comm.rank() == 0 ? new Unreachable(shared) : shared;
          try (CollectiveIo io = open(comm, store, hints + " cb_nodes=2")) {
            assertThatThrownBy(() -> io.write(cyclic(comm.rank()), filled((long) BLOCK * TURNS, 1)))
                .isInstanceOf(InternalErrorException.class)
                .hasMessageContaining("java.lang.InternalError: injected")
                .hasMessageContaining("rank 0 of 4");
          }
        });
  }

  /** Extents that do not fit a summary, so that ranks exchange lists after it. */
  private static ExtentRuns irregular(int rank) {
    ExtentRuns.Builder extents = ExtentRuns.builder();
    for (long i = 0; i < 60; i++) {
      extents.add(rank * 10_000L + i * i * 2, 1 + i % 3);
    }
    return extents.build();
  }

  @Test
  void rankThatFailsToPlanIsGivenUp() {
    MemoryStore store = new MemoryStore("planned");
    CountDownLatch ended = new CountDownLatch(2);
    LeapingTicker ticker = new LeapingTicker();
    ThreadWorld.of(3)
        .withTicker(ticker)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          String algorithm = comm.rank() == 1 ? "magic" : "two-phase";
          String hints =
              "hyperslab_shared_memory=disable hyperslab_deadline=0.3 hyperslab_collective=";
          try (CollectiveIo io = open(comm, store, hints + algorithm)) {
            ExtentRuns list = irregular(comm.rank());
            MemoryExtents memory = filled(list.totalBytes(), 1);
            if (comm.rank() == 1) {
              assertThatThrownBy(() -> io.write(list, memory))
                  .isInstanceOf(InvalidUseException.class);
              ticker.pauseUntil(() -> ended.getCount() == 0);
            } else {
              assertThatThrownBy(() -> io.write(list, memory))
                  .isInstanceOf(MpiException.class)
                  .hasMessageContaining("rank 1");
              ended.countDown();
            }
          }
        });
  }
}
