package org.hyperslab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.RankMap;
import org.hyperslab.machine.StorageServers;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.plan.ArrayBlocks;
import org.hyperslab.mpiio.schedule.StepCounts;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.mpiio.store.StorageCosts;
import org.junit.jupiter.api.Test;

/** Tests the time of transposition within groups of ranks in simulations. */
final class TransposedInTimeTest {

  private static final FileSystemTraits REMOTE = FileSystemTraits.local().with(StorageCosts.REMOTE);

  @Test
  void transpositionIsFasterThanTwoPhaseForAThousandRanks() {
    // As in mpich issue 7935: eight ranks a node, a process grid of 4 x 4 x 8 x 8.
    ArrayBlocks lattice = new ArrayBlocks(new int[] {4, 4, 8, 8}, new int[] {8, 8, 8, 8}, 576);
    Machine nodes = Machine.oneSwitch("cluster", 128, 8);
    Machine machine =
        new Machine(
            "cluster",
            nodes.network(),
            nodes.node(),
            List.of(),
            new StorageServers(375, 1 << 20, 1e9));
    RankMap rowsOnNodes = RankMap.bySlot(machine, lattice.ranks());
    // A node of eight ranks has 18.9 MB. All of them cross its link at 1 GB/s in two-phase I/O,
    // none
    // does in the transposition, whose requests of 65 KB take 21 ms at the servers.
    assertThat(timesAsQuick(true, lattice, rowsOnNodes)).isGreaterThan(1.2);
    assertThat(timesAsQuick(false, lattice, rowsOnNodes)).isGreaterThan(1.5);
  }

  private static double timesAsQuick(boolean write, ArrayBlocks lattice, RankMap ranks) {
    SimulatedDriver.Result transposed = simulated(write, "", lattice, ranks);
    SimulatedDriver.Result twoPhase =
        simulated(write, "hyperslab_collective=two-phase", lattice, ranks);
    assertThat(messages(transposed) * 4).isLessThan(messages(twoPhase));
    return twoPhase.nanos() / transposed.nanos();
  }

  private static long messages(SimulatedDriver.Result result) {
    return result.tallies().stream().mapToLong(StepCounts::messages).sum();
  }

  private static SimulatedDriver.Result simulated(
      boolean write, String words, ArrayBlocks blocks, RankMap ranks) {
    SimulatedDriver.Result result =
        new SimulatedCollective(write, Hints.parse(words), REMOTE, ranks)
            .run(blocks::list, new UnstatedCosts(500_000, 1e9, 10e9), null);
    long moved =
        result.tallies().stream()
            .mapToLong(tally -> tally.bytesWritten() + tally.bytesRead())
            .sum();
    assertThat(moved).isEqualTo(blocks.bytes());
    return result;
  }
}
