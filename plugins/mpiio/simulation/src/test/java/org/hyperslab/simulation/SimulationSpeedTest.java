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
  private static Schedule shifts(int rank, long bytes) {
    List<List<Step>> rounds = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      int shift = round * 7;
      rounds.add(
          List.of(
              new Step.Receive(Math.floorMod(rank - shift, RANKS), HERE, bytes, 0),
              new Step.Send((rank + shift) % RANKS, HERE, bytes, 0),
              new Step.Await(0)));
    }
    return new Schedule("shifts", rank, rounds);
  }

  @Test
  void simulatesManyStepsASecond() {
    assertThat(rate(4096, SimulatedNetwork.FLOWS)).isGreaterThan(100_000);
    assertThat(rate(4096, SimulatedNetwork.LOGGP)).isGreaterThan(100_000);
    assertThat(rate(65_536, SimulatedNetwork.FLOWS)).isGreaterThan(20_000);
  }

  /** Returns how many steps of messages of a length a second are simulated. */
  private static double rate(long bytes, SimulatedNetwork network) {
    RankMap ranks = RankMap.bySlot(Machine.oneSwitch("large", RANKS / 8, 8), RANKS);
    SimulatedDriver.Setting setting =
        new SimulatedDriver.Setting(
            ranks, ranks.machine().storage(), UnstatedCosts.DEFAULT, network);
    List<Schedule> all = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      all.add(shifts(rank, bytes));
    }
    long best = Long.MAX_VALUE;
    long events = 0;
    for (int turn = 0; turn < 3; turn++) {
      var clock = ManagementFactory.getThreadMXBean();
      long start = clock.getCurrentThreadCpuTime();
      events = SimulatedDriver.run(setting, all::get, null).events();
      best = Math.min(best, clock.getCurrentThreadCpuTime() - start);
    }
    double rate = 3.0 * RANKS * ROUNDS * 1e9 / best;
    System.out.printf(
        "%s, messages of %,d bytes: %,.0f steps, %,.0f events a second%n",
        network, bytes, rate, events * 1e9 / best);
    return rate;
  }
}
