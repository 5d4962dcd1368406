package org.hyperslab.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.hyperslab.machine.Level;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.MessageCosts;
import org.hyperslab.machine.Network;
import org.hyperslab.machine.NodeShape;
import org.hyperslab.machine.RankMap;
import org.hyperslab.machine.ServerCosts;
import org.hyperslab.machine.StorageServers;
import org.hyperslab.machine.Tier;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.mpiio.store.StorageCosts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the times of messages with closed forms. */
final class MessageTimesTest {

  private static final ByteLocation HERE = new ByteLocation.Memory(0);

  /** A server that takes no time. */
  private static final StorageServers FREE =
      new StorageServers(1, 1L << 40, 1e18, new ServerCosts(0, 0, 0, 1), 1e18);

  private static final UnstatedCosts COSTS = new UnstatedCosts(0, 1e18, 1e18);

  /** Nodes at one switch of 1 GB/s and 1 µs a hop. */
  private static RankMap oneSwitch(int nodes, int each, MessageCosts messages) {
    Machine base = Machine.oneSwitch("test", nodes, each);
    Machine machine = new Machine("test", base.network(), base.node(), messages, List.of(), FREE);
    return RankMap.bySlot(machine, nodes * each);
  }

  private static double nanos(RankMap ranks, SimulatedNetwork network, List<List<Step>> steps) {
    return SimulatedDriver.run(
            new SimulatedDriver.Setting(ranks, FREE, COSTS, network),
            rank -> new Schedule("test", rank, List.of(steps.get(rank))),
            null)
        .nanos();
  }

  /** One writes 1 MB behind the other. */
  private static double ior(int ranks, int aggregators) {
    return new SimulatedCollective(
            true,
            Hints.parse(
                "hyperslab_collective=two-phase hyperslab_domains=even cb_buffer_size=1073741824"
                    + " cb_nodes="
                    + aggregators),
            FileSystemTraits.local().with(StorageCosts.REMOTE),
            oneSwitch(ranks, 1, MessageCosts.NONE))
        .run(rank -> ExtentRuns.of(rank * 1_000_000L, 1_000_000), COSTS, null)
        .nanos();
  }

  @ParameterizedTest
  @CsvSource({"256,31", "256,32", "256,33", "1024,129", "1024,128"})
  void timeOfIorIsThatOfTheBytesOfAnAggregatorOverItsLink(int ranks, int aggregators) {
    double domain = Math.ceilDiv(ranks * 1_000_000L, (long) aggregators);
    // A rank that aggregates has up to 1 MB of its own domain; 1 GB/s is a byte a nanosecond.
    assertThat(ior(ranks, aggregators)).isBetween(domain - 1_000_000, domain + 4_000);
  }

  @Test
  void flowsToOneReceiverShareItsLink() {
    List<List<Step>> steps = new ArrayList<>();
    List<Step> receives = new ArrayList<>();
    long[] lengths = {10_000, 20_000, 30_000};
    for (int i = 0; i < lengths.length; i++) {
      receives.add(new Step.Receive(i + 1, HERE, lengths[i], 0));
    }
    receives.add(new Step.Await(0));
    steps.add(receives);
    for (long length : lengths) {
      steps.add(List.of(new Step.Send(0, HERE, length, 0), new Step.Await(0)));
    }
    double[] nanos =
        SimulatedDriver.run(
                new SimulatedDriver.Setting(
                    oneSwitch(4, 1, MessageCosts.NONE), FREE, COSTS, SimulatedNetwork.FLOWS),
                rank -> new Schedule("test", rank, List.of(steps.get(rank))),
                null)
            .rankNanos();
    // Thirds until the first ends, then halves, then all: 30, 30 + 20, 50 + 10 us.
    assertThat(nanos[1]).isCloseTo(2000 + 30_000, within(1e-3));
    assertThat(nanos[2]).isCloseTo(2000 + 50_000, within(1e-3));
    assertThat(nanos[3]).isCloseTo(2000 + 60_000, within(1e-3));
  }

  /** Two nodes at each of two switches; a link to the root is as wide as one to a node. */
  @Test
  void flowsOfTwoNodesShareTheLinkAboveTheirSwitch() {
    Level level = new Level("switch", 1e9, 0);
    Machine machine =
        new Machine(
            "tree",
            Network.tree(4, List.of(new Tier(2, 1, level), new Tier(2, 1, level))),
            NodeShape.flat(1, level, 1),
            List.of(),
            FREE);
    List<Step> send2 = List.of(new Step.Send(2, HERE, 10_000, 0), new Step.Await(0));
    List<Step> send3 = List.of(new Step.Send(3, HERE, 10_000, 0), new Step.Await(0));
    List<Step> from0 = List.of(new Step.Receive(0, HERE, 10_000, 0), new Step.Await(0));
    List<Step> from1 = List.of(new Step.Receive(1, HERE, 10_000, 0), new Step.Await(0));
    double apart =
        nanos(
            RankMap.bySlot(machine, 4),
            SimulatedNetwork.FLOWS,
            List.of(send2, send3, from0, from1));
    assertThat(apart).isCloseTo(20_000, within(1e-3));
  }

  @Test
  void operationsOfManySlotsEndEachByItself() {
    List<Step> sends = new ArrayList<>();
    List<Step> receives = new ArrayList<>();
    for (int slot = 0; slot < 9; slot++) {
      sends.add(new Step.Send(1, HERE, 9000, slot));
      receives.add(new Step.Receive(0, HERE, 9000, slot));
    }
    for (int slot = 8; slot >= 0; slot--) {
      sends.add(new Step.Await(slot));
      receives.add(new Step.Await(slot));
    }
    assertThat(
            nanos(
                oneSwitch(2, 1, MessageCosts.NONE),
                SimulatedNetwork.FLOWS,
                List.of(sends, receives)))
        .isCloseTo(2000 + 9 * 9000, within(1e-3));
  }

  /** A rank sends a number of messages to another. */
  private static double stream(SimulatedNetwork network, int count, long bytes) {
    Step send = new Step.Send(1, HERE, bytes, 0);
    Step receive = new Step.Receive(0, HERE, bytes, 0);
    List<Step> sends = new ArrayList<>(Collections.nCopies(count, send));
    List<Step> receives = new ArrayList<>(Collections.nCopies(count, receive));
    sends.add(new Step.Await(0));
    receives.add(new Step.Await(0));
    return nanos(oneSwitch(2, 1, new MessageCosts(500, 300)), network, List.of(sends, receives));
  }

  @Test
  void messagesOfLogGpTakeOverheadLatencyAndGapsOfBytes() {
    // L = 2000 (two hops), o = 500, g = 300, G = 1: o + L + (n - 1) G + o for one message.
    assertThat(stream(SimulatedNetwork.LOGGP, 1, 1001)).isCloseTo(4000, within(1e-6));
    // Long ones follow each other as the receiver takes them: o + (n - 1) G each.
    assertThat(stream(SimulatedNetwork.LOGGP, 10, 1001))
        .isCloseTo(500 + 2000 + 10 * (1000 + 500), within(1e-6));
    // Short ones after o: the sender's overhead is longer than the gap.
    assertThat(stream(SimulatedNetwork.LOGGP, 100, 1))
        .isCloseTo(500 + 2000 + 100 * 500, within(1e-6));
  }

  @ParameterizedTest
  @CsvSource({"LOGGP", "FLOWS"})
  void manyShortMessagesAreDearerThanFewLongOnesOfTheSameBytes(SimulatedNetwork network) {
    double few = stream(network, 4, 65_536);
    double many = stream(network, 2048, 128);
    // At least the overhead of each message at its receiver.
    assertThat(many).isGreaterThan(2048 * 500);
    assertThat(few).isCloseTo(2000 + 4 * 65_536, Percentage.withPercentage(2));
  }

  /** Ranks of one node send to ranks of as many nodes. */
  @ParameterizedTest
  @CsvSource({"LOGGP", "FLOWS"})
  void messagesOfANodeShareItsInjection(SimulatedNetwork network) {
    int ranks = 8;
    RankMap map = oneSwitch(2, ranks, new MessageCosts(0, 1000));
    List<List<Step>> steps = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      steps.add(List.of(new Step.Send(ranks + rank, HERE, 1, 0), new Step.Await(0)));
    }
    for (int rank = 0; rank < ranks; rank++) {
      steps.add(List.of(new Step.Receive(rank, HERE, 1, 0), new Step.Await(0)));
    }
    // The last of eight leaves after seven gaps.
    assertThat(nanos(map, network, steps)).isCloseTo(7 * 1000 + 2000, within(2.0));
  }
}
