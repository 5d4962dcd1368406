package org.hyperslab.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.RankMap;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.PutWindow;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.driver.Driving;
import org.hyperslab.mpiio.driver.FileWorkers;
import org.hyperslab.mpiio.driver.ProgressingDriver;
import org.hyperslab.mpiio.driver.StepContext;
import org.hyperslab.mpiio.put.PutRounds;
import org.hyperslab.mpiio.put.PutRounds.Filled;
import org.hyperslab.mpiio.put.PutRounds.Rounds;
import org.hyperslab.mpiio.put.PutRounds.TargetPut;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.store.FileRangeLock;
import org.junit.jupiter.api.Test;

/** Tests schedules of puts and fences with every driver: three ranks put, rank 0 writes rounds. */
final class PutRoundsTest {

  private static final int SOURCES = 3;
  private static final int ROUNDS = 5;
  private static final long ROUND_BYTES = SOURCES * Long.BYTES;

  private static Schedule schedule(int rank) {
    if (rank == 0) {
      return PutRounds.collecting(
          0,
          new Rounds(
              ROUNDS,
              2,
              List.of(1, 2, 3),
              n -> List.of(new Filled(n % 2 * ROUND_BYTES, n * ROUND_BYTES, ROUND_BYTES))));
    }
    List<TargetPut> puts = new ArrayList<>();
    for (int n = 0; n < ROUNDS; n++) {
      long at = n % 2 * ROUND_BYTES + (rank - 1L) * Long.BYTES;
      puts.add(new TargetPut(0, n < 2 ? -1 : n, (long) n * Long.BYTES, at, Long.BYTES, n));
    }
    return PutRounds.puts(rank, puts);
  }

  /** Runs the schedules of threads; returns what is in the file. */
  private static MemoryStore run(BiConsumer<StepContext, Schedule> driver) {
    MemoryStore store = new MemoryStore("rounds");
    ThreadWorld.run(
        1 + SOURCES,
        comm -> {
          int rank = comm.rank();
          long[] numbers = LongStream.range(0, ROUNDS).map(n -> n * SOURCES + rank).toArray();
          try (BufferPool pool = new BufferPool(0)) {
            PutWindow window =
                PutWindow.direct(comm, rank == 0 ? 2 * ROUND_BYTES : 0).orElseThrow();
            StepContext context =
                new StepContext(
                    comm,
                    1,
                    store,
                    MemoryExtents.contiguous(MemorySegment.ofArray(numbers)),
                    StepContext.Peers.by(comm.size(), window),
                    pool,
                    new StepContext.Locks(FileRangeLock.amongThreads("rounds"), null));
            driver.accept(context, schedule(rank));
            comm.barrier();
            window.close();
          }
        });
    return store;
  }

  private static void assertAllIsWritten(MemoryStore store) {
    long[] numbers = new long[SOURCES * ROUNDS];
    store.read(0, MemorySegment.ofArray(numbers));
    assertThat(numbers).isEqualTo(LongStream.rangeClosed(1, numbers.length).toArray());
  }

  @Test
  void roundsOfTheBlockingDriverAreInTheFile() {
    assertAllIsWritten(
        run((context, schedule) -> assertThat(context.run(schedule).failure()).isNull()));
  }

  @Test
  void roundsOfTheProgressingDriverAreInTheFile() {
    assertAllIsWritten(
        run((context, schedule) -> {
          ProgressingDriver driver =
              new ProgressingDriver(context, schedule, FileWorkers.shared(), () -> {});
          Driving.toEnd(() -> driver.advance(false));
          assertThat(driver.failure()).isNull();
        }));
  }

  private static SimulatedDriver.Result simulate(
      IntFunction<Schedule> schedules, SimulatedDriver.StepListener listener) {
    RankMap ranks = RankMap.bySlot(Machine.oneSwitch("test", 1 + SOURCES, 1), 1 + SOURCES);
    return SimulatedDriver.run(
        new SimulatedDriver.Setting(ranks, new UnstatedCosts(500_000, 1e9, 1e10)),
        schedules,
        listener);
  }

  @Test
  void simulatedPutsWaitForTheRoundWhoseBufferTheyTake() {
    List<Double> written = new ArrayList<>();
    List<Double> exposed = new ArrayList<>();
    SimulatedDriver.Result result =
        simulate(
            PutRoundsTest::schedule,
            (rank, step, start, end) -> {
              if (step instanceof Step.Write) {
                written.add(end);
              } else if (step instanceof Step.AwaitExposure && rank == 1) {
                exposed.add(end);
              }
            });
    assertThat(written).hasSize(ROUNDS).isSorted();
    assertThat(exposed).hasSize(ROUNDS - 2);
    for (int n = 2; n < ROUNDS; n++) {
      assertThat(exposed.get(n - 2)).isGreaterThanOrEqualTo(written.get(n - 2));
    }
    assertThat(result.nanos()).isGreaterThanOrEqualTo(ROUNDS * 500_000.0);
    assertThat(result.tallies().get(1).messages()).isEqualTo(ROUNDS);
  }

  @Test
  void simulatedRoundWithoutAFenceOfARankIsNamed() {
    assertThatThrownBy(
            () -> simulate(rank -> rank == 2 ? Schedule.empty("puts", 2) : schedule(rank), null))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("waits forever in AwaitFences[epoch=0");
  }
}
