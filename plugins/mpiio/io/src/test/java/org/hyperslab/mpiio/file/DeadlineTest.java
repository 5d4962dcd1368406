package org.hyperslab.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.waiting.LeapingTicker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests started accesses that one rank does not join. */
final class DeadlineTest {

  @TempDir Path folder;

  /** The time of the ranks, so that no deadline passes because the machine is busy. */
  private final LeapingTicker ticker = new LeapingTicker();

  private MpiFile open(Communicator comm, String hints) {
    return MpiFile.open(
        comm,
        folder.resolve("file"),
        Set.of(AccessMode.CREATE, AccessMode.READ_WRITE),
        Hints.parse("hyperslab_deadline=0.4 " + hints));
  }

  private static MemoryBuffer bytes() {
    return MemoryBuffer.of(MemorySegment.ofArray(new byte[100]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"progress=thread", "progress=engine", "progress=wait"})
  void otherRanksEndWithAnErrorThatNamesTheAbsentOne(String hints) {
    ThreadWorld.of(3)
        .withTicker(ticker)
        .withTimeLimit(Duration.ofMinutes(2))
        .run(comm -> {
          MpiFile file = open(comm, hints);
          if (comm.rank() != 1) {
            FileRequest request = file.startWriteAtAll(comm.rank() * 100L, bytes());
            assertThatThrownBy(request::await)
                .isInstanceOf(MpiException.class)
                .hasMessageContaining("nothing has moved for 400 ms, waiting for rank 1,");
            assertThatThrownBy(file::sync)
                .isInstanceOf(MpiException.class)
                .hasMessageContaining("given up before");
          }
          comm.barrier();
          if (comm.rank() != 1) {
            file.close();
          } else {
            FileRequest late = file.startWriteAtAll(100, bytes());
            assertThatThrownBy(late::await).isInstanceOf(MpiException.class);
            file.close();
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"progress=thread", "progress=wait"})
  void timeWithoutWaitersIsNotCounted(String hints) {
    ThreadWorld.of(2)
        .withTicker(ticker)
        .withTimeLimit(Duration.ofMinutes(2))
        .run(comm -> {
          try (MpiFile file = open(comm, hints)) {
            FileRequest request = comm.rank() == 0 ? file.startWriteAtAll(0, bytes()) : null;
            if (comm.rank() == 1) {
              ticker.pause(500_000_000L);
            }
            comm.barrier();
            if (request == null) {
              request = file.startWriteAtAll(100, bytes());
            }
            assertThat(request.await().bytes()).isEqualTo(100);
          }
        });
  }

  @Test
  void deadlineIsTakenFromTheHintsInForce() {
    ThreadWorld.of(2)
        .withTicker(ticker)
        .withTimeLimit(Duration.ofMinutes(2))
        .run(comm -> {
          MpiFile file = open(comm, "hyperslab_deadline=0");
          file.setInfo(Map.of(Hints.DEADLINE, "0.3"));
          if (comm.rank() == 0) {
            FileRequest request = file.startWriteAtAll(0, bytes());
            assertThatThrownBy(request::await).hasMessageContaining("nothing has moved for 300 ms");
          }
          comm.barrier();
        });
  }

  @Test
  void anInterruptedRankEndsASplitAccessLater() {
    ThreadWorld.of(2)
        .withTimeLimit(Duration.ofMinutes(2))
        .run(comm -> {
          try (MpiFile file = open(comm, "hyperslab_deadline=0 progress=wait")) {
            SplitAccess split = comm.rank() == 0 ? file.beginWriteAtAll(0, bytes()) : null;
            if (split != null) {
              Thread.currentThread().interrupt();
              assertThatThrownBy(split::end).hasMessageContaining("interrupted while waiting");
              assertThat(Thread.interrupted()).isTrue();
              assertThatThrownBy(() -> file.writeAtAll(0, bytes()))
                  .hasMessageContaining("a split collective access is active");
            }
            comm.barrier();
            split = split == null ? file.beginWriteAtAll(100, bytes()) : split;
            assertThat(split.end().bytes()).isEqualTo(100);
          }
        });
  }

  @Test
  void abandonedCloseClosesTheFile() {
    AtomicInteger closed = new AtomicInteger();
    ThreadWorld.of(2)
        .withTicker(ticker)
        .withTimeLimit(Duration.ofMinutes(2))
        .run(comm -> {
          MpiFile file = open(comm, "progress=wait");
          if (comm.rank() == 0) {
            file.startWriteAtAll(0, bytes());
            assertThatThrownBy(file::close).hasMessageContaining("nothing has moved");
            assertThatThrownBy(file::size).hasMessageContaining("closed");
            closed.incrementAndGet();
          }
          comm.barrier();
        });
    assertThat(closed).hasValue(1);
  }
}
