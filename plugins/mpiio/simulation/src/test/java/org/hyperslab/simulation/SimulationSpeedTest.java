package org.hyperslab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.RankMap;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.junit.jupiter.api.Test;

/** Measures how many steps a second are simulated. */
final class SimulationSpeedTest {

  private static final ByteLocation HERE = new ByteLocation.Memory(0);
  private static final int RANKS = 2048;
  private static final int ROUNDS = 30;

  /** Each rank sends to the rank at a distance that grows, and waits for its own message. */
  private static Schedule shifts(int rank) {
    List<List<Step>> rounds = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      int shift = round * 7;
      rounds.add(
          List.of(
              new Step.Receive(Math.floorMod(rank - shift, RANKS), HERE, 4096, 0),
              new Step.Send((rank + shift) % RANKS, HERE, 4096, 0),
              new Step.Await(0)));
    }
    return new Schedule("shifts", rank, rounds);
  }

  @Test
  void simulatesManyStepsASecond() {
    RankMap ranks = RankMap.bySlot(Machine.oneSwitch("large", RANKS / 8, 8), RANKS);
    List<Schedule> all = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      all.add(shifts(rank));
    }
    long best = Long.MAX_VALUE;
    for (int turn = 0; turn < 3; turn++) {
      var clock = ManagementFactory.getThreadMXBean();
      long start = clock.getCurrentThreadCpuTime();
      SimulatedDriver.run(
          new SimulatedDriver.Setting(ranks, UnstatedCosts.DEFAULT), all::get, null);
      best = Math.min(best, clock.getCurrentThreadCpuTime() - start);
    }
    double rate = 3.0 * RANKS * ROUNDS * 1e9 / best;
    System.out.printf("simulated: %,.0f steps a second%n", rate);
    assertThat(rate).isGreaterThan(10_000);
  }
}
