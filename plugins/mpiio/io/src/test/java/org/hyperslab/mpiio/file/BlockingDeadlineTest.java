package org.hyperslab.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.waiting.LeapingTicker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests blocking calls that one rank does not make, or replaces by another call. */
final class BlockingDeadlineTest {

  private static final int RANKS = 3;

  /** The absent rank keeps running, so that it is not mistaken for a deadlock. */
  private final CountDownLatch othersHaveEnded = new CountDownLatch(RANKS - 1);

  private final CountDownLatch writing = new CountDownLatch(1);
  private final CountDownLatch givenUp = new CountDownLatch(1);

  @TempDir Path folder;

  /** The time of the ranks, so that no deadline passes because the machine is busy. */
  private final LeapingTicker ticker = new LeapingTicker();

  /** A collective routine. */
  private record Routine(String name, Call call) {
    @Override
    public String toString() {
      return name;
    }
  }

  @FunctionalInterface
  private interface Call {
    void on(MpiFile file);
  }

  private static MemoryBuffer bytes() {
    return MemoryBuffer.of(MemorySegment.ofArray(new byte[100]));
  }

  static Stream<Routine> routines() {
    return Stream.of(
        new Routine("writeAtAll", file -> file.writeAtAll(0, bytes())),
        new Routine("readAtAll", file -> file.readAtAll(0, bytes())),
        new Routine("writeOrdered", file -> file.writeOrdered(bytes())),
        new Routine("setView", file -> file.setView(FileView.bytes())),
        new Routine("setSize", file -> file.setSize(10)),
        new Routine("preallocate", file -> file.preallocate(10)),
        new Routine("seekShared", file -> file.seekShared(0, Whence.START)),
        new Routine("setAtomic", file -> file.setAtomic(true)),
        new Routine("setInfo", file -> file.setInfo(Map.of("cb_nodes", "1"))),
        new Routine("sync", MpiFile::sync),
        new Routine("declareWrites", file -> file.declareWrites(new long[0], new long[0]).close()),
        new Routine("close", MpiFile::close));
  }

  private MpiFile open(Communicator comm) {
    return MpiFile.open(
        comm,
        folder.resolve("file"),
        Set.of(AccessMode.CREATE, AccessMode.READ_WRITE),
        Hints.parse("hyperslab_deadline=0.3"));
  }

  /** Rank 1 comes to nothing after what it does first. */
  private void awayAfter(Call first, Call others) {
    ThreadWorld.of(RANKS)
        .withTicker(ticker)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          MpiFile file = open(comm);
          first.on(file);
          if (comm.rank() == 1) {
            pauseUntil(othersHaveEnded);
          } else {
            others.on(file);
            othersHaveEnded.countDown();
          }
        });
  }

  @ParameterizedTest
  @MethodSource("routines")
  void namesARankThatStaysAway(Routine routine) {
    awayAfter(
        file -> file.writeAtAll(0, bytes()),
        file -> {
          assertThatThrownBy(() -> routine.call.on(file))
              .isInstanceOf(MpiException.class)
              .hasMessageContaining(routine.name)
              .hasMessageContaining("nothing has moved for 300 ms, waiting for rank 1,");
          if (!routine.name.equals("close")) {
            assertThatThrownBy(file::sync)
                .isInstanceOf(MpiException.class)
                .hasMessageContaining("given up before");
            file.close();
          }
          assertThatThrownBy(file::size).hasMessageContaining("closed");
        });
    assertThat(folder.resolve("file")).hasSize(100);
  }

  @Test
  void namesARankThatDoesNotOpenTheFile() {
    ThreadWorld.of(RANKS)
        .withTicker(ticker)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          if (comm.rank() == 1) {
            pauseUntil(othersHaveEnded);
          } else {
            assertThatThrownBy(() -> open(comm))
                .isInstanceOf(MpiException.class)
                .hasMessageContaining("open")
                .hasMessageContaining("waiting for rank 1,");
            othersHaveEnded.countDown();
          }
        });
    assertThat(Files.exists(folder.resolve("file"))).isFalse();
  }

  @ParameterizedTest
  @MethodSource("routines")
  void namesRanksThatMakeAnotherCall(Routine routine) {
    boolean other = routine.name.equals("sync");
    String theirs = other ? "setAtomic" : "sync";
    ThreadWorld.of(RANKS)
        .withTicker(ticker)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          MpiFile file = open(comm);
          assertThatThrownBy(
                  () -> {
                    if (comm.rank() != 1) {
                      routine.call.on(file);
                    } else if (other) {
                      file.setAtomic(true);
                    } else {
                      file.sync();
                    }
                  })
              .isInstanceOf(InvalidUseException.class)
              .hasMessageContaining("ranks 0, 2: " + routine.name)
              .hasMessageContaining("rank 1: " + theirs);
          file.close();
          assertThatThrownBy(file::size).hasMessageContaining("closed");
        });
  }

  @Test
  void namesRanksThatHaveStartedAnotherNumberOfAccesses() {
    ThreadWorld.of(2)
        .withTicker(ticker)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          MpiFile file = open(comm);
          FileRequest request = comm.rank() == 0 ? file.startWriteAtAll(0, bytes()) : null;
          assertThatThrownBy(file::sync).isInstanceOf(HyperslabException.class);
          if (request != null) {
            assertThatThrownBy(request::await).isInstanceOf(MpiException.class);
          }
          file.close();
        });
  }

  @Test
  void waitsForARankThatIsStillWriting() {
    MemoryStore store = new MemoryStore("slow");
    ThreadWorld.of(2)
        .withTicker(ticker)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          StoreDecorator slow =
              new StoreDecorator(store) {
                @Override
                public void write(long offset, MemorySegment source) {
                  pause();
                  super.write(offset, source);
                }

                @Override
                public void force(boolean metadata) {
                  pause();
                  super.force(metadata);
                }

                private void pause() {
                  if (comm.rank() == 1) {
                    ticker.pause(700_000_000L);
                  }
                }
              };
          Hints hints = Hints.parse("hyperslab_deadline=0.3 hyperslab_collective=individual");
          try (MpiFile file = MpiFile.over(comm, slow, Set.of(AccessMode.READ_WRITE), hints)) {
            file.writeAtAll(100L * comm.rank(), bytes());
            file.sync();
            file.setAtomic(true);
            file.writeAtAll(100L * comm.rank(), bytes());
          }
        });
  }

  /** A store in which rank 0 hangs once it writes, until rank 1 has given it up. */
  private ByteStore hanging(Communicator comm, ByteStore store) {
    return new StoreDecorator(store) {
      @Override
      public void write(long offset, MemorySegment source) {
        writing.countDown();
        pauseUntil(comm.rank() == 1 ? writing : givenUp);
        super.write(offset, source);
      }

      @Override
      public void close() {}
    };
  }

  private static MpiFile atomic(Communicator comm, ByteStore store) {
    Hints hints = Hints.parse("hyperslab_deadline=0.1 progress=wait");
    MpiFile file = MpiFile.over(comm, store, Set.of(AccessMode.READ_WRITE), hints);
    file.setAtomic(true);
    return file;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void namesARankThatKeepsALock(boolean started) {
    MemoryStore store = new MemoryStore("hanging " + started);
    ThreadWorld.of(2)
        .withTicker(ticker)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          try (MpiFile file = atomic(comm, hanging(comm, store))) {
            if (comm.rank() == 0) {
              if (started) {
                file.startWriteAt(0, bytes()).await();
              } else {
                file.writeAt(0, bytes());
              }
            } else {
              pauseUntil(writing);
              assertThatThrownBy(() -> file.writeAt(50, bytes()))
                  .isInstanceOfSatisfying(MpiException.class, e -> assertThat(e.rank()).isZero())
                  .hasMessageContaining("have been held by rank 0 (bytes 0 to 99) for 100 ms");
              givenUp.countDown();
              file.writeAt(100, bytes());
            }
            comm.barrier();
            file.writeAt(50, bytes());
          }
        });
    assertThat(store.size()).isEqualTo(200);
  }

  @Test
  void startedAccessEndsIfARankKeepsItsLock() {
    MemoryStore store = new MemoryStore("hanging");
    ThreadWorld.of(2)
        .withTicker(ticker)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          MpiFile file = atomic(comm, hanging(comm, store));
          if (comm.rank() == 0) {
            file.writeAt(0, bytes());
          } else {
            pauseUntil(writing);
            FileRequest waiting = file.startWriteAt(50, bytes());
            assertThatThrownBy(waiting::await)
                .isInstanceOf(MpiException.class)
                .hasMessageMatching(
                    "(?s).*(held by rank 0 .* for 100 ms|moved for 100 ms, waiting for a lock).*");
            givenUp.countDown();
          }
          comm.barrier();
          // A rank whose file has given up closes it alone; the other one names it then.
          assertThat(catchThrowable(file::close))
              .satisfiesAnyOf(
                  closing -> assertThat(closing).isNull(),
                  closing -> assertThat(closing).hasMessageContaining("waiting for rank 1,"));
        });
    assertThat(store.size()).isEqualTo(100);
  }

  private void pauseUntil(CountDownLatch latch) {
    ticker.pauseUntil(() -> latch.getCount() == 0);
  }
}
