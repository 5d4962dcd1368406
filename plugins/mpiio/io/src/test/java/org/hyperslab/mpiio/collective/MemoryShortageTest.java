package org.hyperslab.mpiio.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.driver.Driving;
import org.hyperslab.mpiio.driver.ProgressingDriver;
import org.hyperslab.mpiio.driver.StepContext;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.store.FileRangeLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a rank that cannot allocate a buffer in the middle of a schedule. */
final class MemoryShortageTest {

  /** More than any machine has, so that the allocation fails at once. */
  private static final long TOO_MANY = 1L << 60;

  private static final int SLOT = 9;

  private static StepContext context(Communicator comm, BufferPool pool) {
    return new StepContext(
        comm,
        1,
        new MemoryStore("store"),
        MemoryExtents.none(),
        StepContext.Peers.none(comm.size(), null),
        pool,
        new StepContext.Locks(FileRangeLock.amongThreads("shortage"), null));
  }

  /** Each rank sends the other what it has; rank 0 gets no buffer. Then they count failures. */
  private static Schedule schedule(int rank, int bytes) {
    ByteLocation buffer = new ByteLocation.Buffer(0, 0);
    List<Step> steps =
        List.of(
            new Step.Allocate(0, rank == 0 ? TOO_MANY : bytes),
            new Step.Receive(1 - rank, new ByteLocation.Buffer(0, bytes / 2), bytes / 2, 0),
            new Step.Send(1 - rank, buffer, bytes / 2, 1),
            new Step.Await(0),
            new Step.Await(1),
            new Step.Write(ExtentRuns.of(0, bytes), buffer),
            new Step.Release(0));
    return new Schedule("test", rank, List.of(steps))
        .then(found -> {
          long[] failures = {found.failure() == null ? 0 : 1};
          Step all = new Step.ReduceAll(failures, Reduction.SUM, SLOT);
          return new Schedule("end", rank, List.of(List.of(all, new Step.Await(SLOT))));
        });
  }

  private static void check(int rank, Schedule.Findings found, BufferPool pool) {
    assertThat(found.received(SLOT)[0]).containsExactly(1);
    assertThat(pool.lent()).isZero();
    if (rank == 0) {
      assertThat(found.failure())
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("memory: actual=exhausted");
    } else {
      assertThat(found.failure()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 100_000})
  void memoryShortageOfOneRankFailsAllAndItsMessagesContinue(int bytes) {
    ThreadWorld.of(2)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          try (BufferPool pool = new BufferPool(0)) {
            check(comm.rank(), context(comm, pool).run(schedule(comm.rank(), bytes)), pool);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 100_000})
  void memoryShortageFailsStartedTransfersOnAllRanks(int bytes) {
    Executor here = Runnable::run;
    ThreadWorld.of(2)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          try (BufferPool pool = new BufferPool(0)) {
            ProgressingDriver driver =
                new ProgressingDriver(
                    context(comm, pool), schedule(comm.rank(), bytes), here, () -> {});
            Driving.toEnd(() -> driver.advance(false));
            assertThat(driver.failure()).isNull();
            check(comm.rank(), driver.findings(), pool);
          }
        });
  }

  @Test
  void waitingForAnotherTransfersBufferIsNoShortage() {
    ThreadWorld.run(
        1,
        comm -> {
          try (BufferPool pool = new BufferPool(0)) {
            pool.take(1); // by another transfer
            Schedule schedule =
                new Schedule("test", 0, List.of(List.of(new Step.Allocate(0, TOO_MANY))));
            ProgressingDriver driver =
                new ProgressingDriver(context(comm, pool), schedule, Runnable::run, () -> {});
            assertThat(driver.advance(false)).isFalse();
          }
        });
  }
}
