package org.hyperslab.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.RankMap;
import org.hyperslab.machine.ServerCosts;
import org.hyperslab.machine.StorageServers;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.collective.AccessPattern;
import org.hyperslab.mpiio.collective.CollectiveIo;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.schedule.StepCounts;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.mpiio.store.StorageCosts;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/**
 * Tests collectives in virtual time: their duration on a machine, and that they do the same as real
 * ones.
 */
class SimulatedCollectiveTest {

  /** Bytes per nanosecond: 1 over a link, 10 within a node and in copies, 2 at a server. */
  private static final UnstatedCosts COSTS = new UnstatedCosts(1_000, 2e9, 10e9);

  private static final ByteLocation HERE = new ByteLocation.Memory(0);

  /** Nodes of one processor at one switch, 1000 ns a hop, and servers with stripes of 100 bytes. */
  private static RankMap nodes(int count, int servers) {
    Machine base = Machine.oneSwitch("test", count, 1);
    Machine machine =
        new Machine(
            "test",
            base.network(),
            base.node(),
            List.of(),
            servers == 0
                ? StorageServers.UNKNOWN
                : new StorageServers(servers, 100, 2e9, ServerCosts.UNKNOWN, 1e18));
    return RankMap.bySlot(machine, count);
  }

  private static double[] run(RankMap ranks, List<List<Step>> steps) {
    return SimulatedDriver.run(
            new SimulatedDriver.Setting(ranks, COSTS),
            rank -> new Schedule("test", rank, List.of(steps.get(rank))),
            null)
        .rankNanos();
  }

  @Test
  void messageTimeIsLatencyPlusBandwidthAndMessagesShareLinks() {
    List<Step> send = List.of(new Step.Send(0, HERE, 5000, 0), new Step.Await(0));
    List<Step> receive =
        List.of(
            new Step.Receive(1, HERE, 5000, 0),
            new Step.Receive(2, HERE, 5000, 0),
            new Step.Await(0));
    double[] nanos = run(nodes(3, 0), List.of(receive, send, send));
    assertThat(nanos[1]).as("two hops, half of the link").isCloseTo(2000 + 10000, within(1e-6));
    assertThat(nanos[2]).as("the other half").isCloseTo(2000 + 10000, within(1e-6));
    List<Step> one = List.of(new Step.Receive(1, HERE, 5000, 0), new Step.Await(0));
    assertThat(run(nodes(3, 0), List.of(one, send, List.of()))[0])
        .as("two hops and 5000 bytes")
        .isCloseTo(2000 + 5000, within(1e-6));
    assertThat(nanos[0]).isEqualTo(nanos[2]);
  }

  @Test
  void serverIsSequentialAndServersAreConcurrent() {
    List<Step> first = List.of(new Step.Write(ExtentRuns.of(0, 100), HERE));
    List<Step> second = List.of(new Step.Write(ExtentRuns.of(100, 100), HERE));
    assertThat(run(nodes(2, 1), List.of(first, second))).containsExactly(1050, 2100);
    assertThat(run(nodes(2, 2), List.of(first, second))).containsExactly(1050, 1050);
    List<Step> both = List.of(new Step.Write(ExtentRuns.of(0, 200), HERE));
    assertThat(run(nodes(1, 2), List.of(both))).as("two stripes").containsExactly(1050);
    List<Step> apart = List.of(new Step.Write(ExtentRuns.strided(0, 50, 100, 2), HERE));
    assertThat(run(nodes(1, 2), List.of(apart))).as("two requests").containsExactly(2050);
  }

  @Test
  void findingsContainReceivedNumbersAndSchedulesContinue() {
    SimulatedDriver.Result result =
        SimulatedDriver.run(
            new SimulatedDriver.Setting(nodes(3, 0), COSTS),
            rank -> {
              long[][] forRank = {{10L * rank}, {10L * rank + 1}, {10L * rank + 2}};
              List<Step> steps =
                  List.of(
                      new Step.GatherAll(new long[] {rank, -rank}, true, 1),
                      new Step.ExchangeAll(forRank, 2),
                      new Step.ReduceAll(new long[] {rank}, Reduction.SUM, 3),
                      new Step.Await(1),
                      new Step.Await(2),
                      new Step.Await(3),
                      new Step.Barrier());
              return new Schedule("told", rank, List.of(steps))
                  .then(found -> {
                    assertThat(found.received(1)[2]).containsExactly(2, -2);
                    assertThat(found.received(2)[1]).containsExactly(10 + rank);
                    assertThat(found.received(3)[0]).containsExactly(3);
                    return new Schedule(
                        "end", rank, List.of(List.of(new Step.Copy(HERE, HERE, 1000))));
                  });
            },
            null);
    assertThat(result.tallies()).allMatch(tally -> tally.copiedBytes() == 1000);
    assertThat(result.stepNanos()).containsEntry("Copy", 300.0);
  }

  @Test
  void deadlockedSchedulesAreNamed() {
    List<Step> receive = List.of(new Step.Receive(1, HERE, 1, 0), new Step.Await(0));
    List<Step> alsoReceive = List.of(new Step.Receive(0, HERE, 1, 0), new Step.Await(0));
    assertThatThrownBy(() -> run(nodes(2, 0), List.of(receive, alsoReceive)))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("rank 0 waits forever in Await[slot=0], as 1 others do");
    List<Step> shorter = List.of(new Step.Send(0, HERE, 7, 0), new Step.Await(0));
    assertThatThrownBy(() -> run(nodes(2, 0), List.of(receive, shorter)))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("a message of 7 bytes from rank 1 to 0, expected=1");
  }

  @Test
  void simulatedCollectivesMatchRealOnes() {
    for (String words :
        new String[] {
          "two-phase",
          "two-phase hyperslab_messages=unpacked",
          "dynamic",
          "static",
          "sliding hyperslab_block=700",
          "individual"
        }) {
      Seeds.runFixed(15, random -> compare(words, random));
    }
  }

  private static void compare(String words, Random random) {
    AccessPattern pattern = AccessPattern.random(random);
    Hints hints =
        Hints.parse(
            "hyperslab_shared_memory=disable hyperslab_collective="
                + words
                + " cb_nodes="
                + (1 + random.nextInt(4))
                + " cb_buffer_size="
                + (64 + random.nextInt(3000)));
    MemoryStore store = new MemoryStore("real");
    List<StepCounts> real = new ArrayList<>();
    ThreadWorld.run(
        pattern.ranks(),
        comm -> {
          try (Arena arena = Arena.ofConfined();
              CollectiveIo io = CollectiveIo.open(comm, store, hints, FileSystemTraits.local())) {
            long bytes = pattern.lists.get(comm.rank()).totalBytes();
            var memory =
                MemoryExtents.contiguous(arena.allocate(Math.max(1, bytes)).asSlice(0, bytes));
            StepCounts all = io.write(pattern.lists.get(comm.rank()), memory).all();
            if (comm.rank() == 0) {
              real.add(all);
            }
          }
        });
    RankMap oneNode =
        RankMap.bySlot(Machine.oneSwitch("one node", 1, pattern.ranks()), pattern.ranks());
    SimulatedDriver.Result result =
        new SimulatedCollective(true, hints, FileSystemTraits.local(), oneNode)
            .run(pattern.lists::get, COSTS, null);
    long writes = result.tallies().stream().mapToLong(StepCounts::writes).sum();
    long written = result.tallies().stream().mapToLong(StepCounts::bytesWritten).sum();
    long messages = result.tallies().stream().mapToLong(StepCounts::messageBytes).sum();
    assertThat(new long[] {writes, written, messages})
        .as("%s: %s", words, pattern)
        .containsExactly(
            real.getFirst().writes(),
            real.getFirst().bytesWritten(),
            real.getFirst().messageBytes());
  }

  /** Tiles of 64 rows of a mebibyte in all, 128 of them side by side. */
  private static ExtentRuns tile(int rank) {
    long row = 128L << 14;
    return ExtentRuns.strided(rank / 128 * 64 * row + ((long) rank % 128 << 14), 1 << 14, row, 64);
  }

  @Test
  void simulatesSixteenThousandRanksInSeconds() {
    int ranks = Effort.times(4096, 16_384);
    Machine nodes = Machine.oneSwitch("large", ranks / 32, 32);
    Machine machine =
        new Machine(
            "large",
            nodes.network(),
            nodes.node(),
            List.of(),
            new StorageServers(512, 1 << 20, 1e9));
    Hints hints =
        Hints.parse(
            "hyperslab_collective=two-phase hyperslab_aggregators=node cb_buffer_size=16777216");
    var clock = ManagementFactory.getThreadMXBean();
    long start = clock.getCurrentThreadCpuTime();
    SimulatedDriver.Result result =
        new SimulatedCollective(
                true,
                hints,
                FileSystemTraits.local().with(StorageCosts.REMOTE),
                RankMap.bySlot(machine, ranks))
            .run(SimulatedCollectiveTest::tile, new UnstatedCosts(500_000, 1e9, 10e9), null);
    long taken = clock.getCurrentThreadCpuTime() - start;
    System.out.printf("simulation of %,d ranks: %.1f s%n", ranks, taken / 1e9);
    assertThat(taken).isLessThan(60_000_000_000L);
    long written = result.tallies().stream().mapToLong(StepCounts::bytesWritten).sum();
    assertThat(written).isEqualTo((long) ranks << 20);
    // Of the 32 MiB of an aggregator three quarters come from other nodes, at 1 GB/s.
    double shuffled = 0.75 * (32 << 20);
    assertThat(result.nanos()).isBetween(shuffled, 100e6);
  }
}
