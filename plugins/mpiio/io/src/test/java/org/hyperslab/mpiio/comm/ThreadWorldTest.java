package org.hyperslab.mpiio.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests behaviour specific to ranks that are threads: failures, deadlocks, confined memory. */
@Timeout(300)
final class ThreadWorldTest {

  @Test
  void failureOfOneRankEndsWaitingRanksAndNamesTheRank() {
    AtomicInteger failed = new AtomicInteger();
    assertThatThrownBy(() ->
            ThreadWorld.run(
                4,
                world -> {
                  if (world.rank() == 2) {
                    throw new IllegalStateException("disk on fire");
                  }
                  try {
                    world.barrier();
                  } catch (MpiException e) {
                    failed.incrementAndGet();
                    assertThat(e).hasMessageContaining("rank 2").hasMessageContaining("fire");
                    throw e;
                  }
                }))
        .isInstanceOf(MpiException.class)
        .hasMessageContaining("rank 2 of 4")
        .hasMessageContaining("disk on fire")
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThat(failed).hasValue(3);
  }

  @Test
  void memoryOfAMessageThatIsGivenUpIsFreeAtOnce() {
    int bytes = ThreadWorld.EAGER_BYTES + 1; // not copied when it is sent
    ThreadWorld.run(
        2,
        world -> {
          AtomicInteger ended = new AtomicInteger();
          if (world.rank() == 0) {
            try (Arena arena = Arena.ofShared()) {
              Request large = world.startSend(arena.allocate(bytes), 1, 7);
              Request small = world.startSend(arena.allocate(8).fill((byte) 9), 1, 8);
              Request.giveUp(List.of(large, small), ended::incrementAndGet);
              assertThat(ended).hasValue(1);
            }
          }
          world.barrier();
          if (world.rank() == 1) {
            Request never = world.startReceive(MemorySegment.ofArray(new byte[bytes]), 0, 7);
            byte[] into = new byte[8];
            assertThat(world.receive(MemorySegment.ofArray(into), 0, 8)).isEqualTo(8);
            assertThat(into).as("sent before it was given up").containsOnly(9);
            assertThat(never.test()).isFalse();
            Request.giveUp(List.of(never), ended::incrementAndGet);
            assertThat(ended).hasValue(1);
          }
        });
  }

  @Test
  void whatARankLeavesOpenIsClosedWhenItEnds() {
    AtomicInteger closed = new AtomicInteger();
    ThreadWorld.run(
        2,
        world -> {
          Communicator left = world.duplicate();
          left.remembered(Counted.class, () -> new Counted(closed));
          try (Communicator ended = left.duplicate()) {
            ended.remembered(Counted.class, () -> new Counted(closed));
          }
          left.duplicate().remembered(Counted.class, () -> new Counted(closed));
        });
    assertThat(closed).hasValue(2 * 3);
  }

  private record Counted(AtomicInteger closed) implements AutoCloseable {
    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  @Test
  void findsRanksThatWaitForEachOther() {
    assertThatThrownBy(() ->
            ThreadWorld.run(
                3,
                world -> {
                  if (world.rank() == 0) {
                    return;
                  }
                  world.receive(MemorySegment.ofArray(new byte[4]), 3 - world.rank(), 7);
                }))
        .isInstanceOf(MpiException.class)
        .hasMessageContaining("deadlock")
        .hasMessageContaining("rank 0 has ended")
        .hasMessageContaining("rank 1 waits in receive from rank 2 with tag 7");
  }

  @Test
  void namesRanksThatMakeDifferentCollectiveCalls() {
    assertThatThrownBy(() ->
            ThreadWorld.run(
                3,
                world -> {
                  if (world.rank() == 1) {
                    world.allReduce(new long[2], Reduction.SUM);
                  } else {
                    world.barrier();
                  }
                }))
        .isInstanceOf(MpiException.class)
        .hasMessageContaining("ranks disagree")
        .hasMessageContaining("barrier")
        .hasMessageContaining("allReduce SUM of 2 longs");
  }

  @Test
  void endsAtItsTimeLimitEvenIfARankDoesNotCommunicate() {
    long limit = 100;
    String said = failureAfter(limit);
    while (said.contains("rank 1 runs")) { // it has not come as far on a machine that is busy
      limit *= 2;
      said = failureAfter(limit);
    }
    assertThat(said)
        .contains("time limit of " + limit + " ms")
        .contains("rank 0 runs, rank 1 waits in barrier");
  }

  private static String failureAfter(long milliseconds) {
    CountDownLatch never = new CountDownLatch(1);
    ThreadWorld world = ThreadWorld.of(2).withTimeLimit(Duration.ofMillis(milliseconds));
    Throwable failure =
        catchThrowable(() ->
            world.run(comm -> {
              if (comm.rank() == 0) {
                never.await();
              }
              comm.barrier();
            }));
    assertThat(failure).isInstanceOf(MpiException.class);
    return failure.getMessage();
  }

  @Test
  void carriesMessagesFromAndToConfinedMemory() {
    int bytes = 100_000;
    ThreadWorld.run(
        2,
        world -> {
          try (Arena mine = Arena.ofConfined()) {
            MemorySegment data = mine.allocate(bytes);
            int other = 1 - world.rank();
            for (int round = 0; round < 20; round++) {
              data.fill((byte) (world.rank() + round));
              if (world.rank() == 0) {
                world.send(data, other, round);
                assertThat(world.receive(data, other, round)).isEqualTo(bytes);
              } else {
                MemorySegment in = mine.allocate(bytes + 5);
                Request coming = world.startReceive(in, other, round);
                world.send(data, other, round);
                assertThat(coming.await()).isEqualTo(bytes);
                assertThat(in.get(ValueLayout.JAVA_BYTE, bytes - 1)).isEqualTo((byte) round);
              }
            }
          }
        });
  }

  @Test
  void worldsFindsTheRankOfAThread() {
    ThreadWorld.run(3, world -> assertThat(Worlds.current()).isSameAs(world));
    assertThat(Worlds.current().size()).isEqualTo(1);
  }

  @Test
  void nodesCanBeSimulated() {
    ThreadWorld.of(5)
        .withRanksPerNode(2)
        .run(world -> assertThat(world.node()).isEqualTo(world.rank() / 2));
  }

  @Test
  void rejectsNoRanksAtAll() {
    assertThatThrownBy(() -> ThreadWorld.run(0, world -> {}))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("ranks: actual=0");
  }
}
