package org.hyperslab.machine.assignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.machine.Level;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.MachineDescription;
import org.hyperslab.machine.Network;
import org.hyperslab.machine.NodeShape;
import org.hyperslab.machine.RankMap;
import org.hyperslab.machine.StorageServers;
import org.hyperslab.machine.Tier;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Compares rules that assign file domains to ranks with direct computations of the objectives. */
final class DomainAssignmentTest {

  private static final Level LEVEL = new Level("level", 1e9, 1000);

  /** Nodes of two processors, two nodes a leaf switch, two leaf switches. */
  private static Machine fourNodes() {
    return new Machine(
        "four nodes",
        Network.tree(4, List.of(new Tier(2, 1, LEVEL), new Tier(2, 1, LEVEL))),
        NodeShape.flat(2, LEVEL, 1),
        List.of(),
        StorageServers.UNKNOWN);
  }

  /**
   * The worked example of Liu et al. (2018), section 3.5 of the facts: 6 processes, 24 elements in
   * three domains of 8. The paper does not print the matrices; this C is one of those that agree
   * with the figures it gives: 4 elements per process, d(P0, P2) = 2, w(P2, FD 2) = 24, and TATP's
   * answer P2, P0, P3. The link congestions 15 and 9 follow neither from this C nor from any other
   * such C, because the bytes into a node and out of it differ by a multiple of 4 and neither is
   * above 8.
   */
  @Test
  void workedExampleOfTatp() {
    long[][] c = {{0, 3, 1}, {2, 1, 1}, {3, 0, 1}, {2, 0, 2}, {1, 2, 1}, {0, 2, 2}};
    RankMap ranks = RankMap.bySlot(fourNodes(), 6);
    assertThat(ranks.hops(0, 2)).isEqualTo(2);
    DomainTraffic traffic = DomainTraffic.of(c);
    int[] columns = new int[6];
    double[] w = new double[6];
    int[] all = IntStream.range(0, 6).toArray();
    new HopByteCosts(traffic, ranks, all).row(1, columns, w);
    assertThat(w[2]).isEqualTo(24);
    DomainAssignment tatp = DomainAssignment.of(AssignmentRule.TATP, traffic, ranks, all);
    assertThat(tatp.rankOfDomain()).containsExactly(2, 0, 3);
    DomainAssignment romio =
        DomainAssignment.of(AssignmentRule.ROMIO, traffic, ranks, new int[] {0, 2, 4});
    assertThat(romio.rankOfDomain()).containsExactly(0, 2, 4);
    assertThat(romio.hopBytes()).isEqualTo(62);
    assertThat(tatp.hopBytes()).isEqualTo(44);
    assertThat(tatp.greatestLinkBytes()).isLessThanOrEqualTo(romio.greatestLinkBytes());
  }

  @Test
  void rulesMinimiseTheirObjective() {
    Seeds.run(Effort.times(60, 3000), DomainAssignmentTest::checkRules);
  }

  private static void checkRules(Random random) {
    RankMap ranks = randomRanks(random);
    int size = ranks.size();
    long[][] c = new long[size][1 + random.nextInt(Math.min(3, size))];
    for (long[] row : c) {
      Arrays.setAll(row, i -> random.nextInt(3) == 0 ? 0 : random.nextInt(1000));
    }
    DomainTraffic traffic = DomainTraffic.of(c);
    int[] all = IntStream.range(0, size).toArray();
    DomainAssignment tatp = DomainAssignment.of(AssignmentRule.TATP, traffic, ranks, all);
    DomainAssignment latp = DomainAssignment.of(AssignmentRule.LATP, traffic, ranks, all);
    long leastHopBytes = Long.MAX_VALUE;
    long mostLocal = -1;
    for (int[] choice : choices(size, c[0].length)) {
      long hopBytes = 0;
      long local = 0;
      for (int j = 0; j < choice.length; j++) {
        local += c[choice[j]][j];
        for (int i = 0; i < size; i++) {
          hopBytes += c[i][j] * ranks.hops(i, choice[j]);
        }
      }
      leastHopBytes = Math.min(leastHopBytes, hopBytes);
      mostLocal = Math.max(mostLocal, local);
    }
    assertThat(tatp.hopBytes()).isEqualTo(leastHopBytes);
    long local = 0;
    for (int j = 0; j < c[0].length; j++) {
      local += traffic.bytes(latp.rankOfDomain()[j], j);
    }
    assertThat(local).isEqualTo(mostLocal);
  }

  private static RankMap randomRanks(Random random) {
    Machine machine =
        random.nextBoolean()
            ? fourNodes()
            : new Machine(
                "torus",
                Network.torus(LEVEL, 2, 3, 2),
                NodeShape.flat(2, LEVEL, 0),
                List.of(),
                StorageServers.UNKNOWN);
    int[] processors = new int[2 + random.nextInt(5)];
    Arrays.setAll(processors, i -> random.nextInt(machine.processors()));
    return RankMap.of(machine, processors);
  }

  /** Returns all ways of choosing different ranks, one for each domain. */
  private static List<int[]> choices(int ranks, int domains) {
    if (domains == 0) {
      return List.of(new int[0]);
    }
    return choices(ranks, domains - 1).stream()
        .flatMap(before ->
            IntStream.range(0, ranks)
                .filter(rank -> Arrays.stream(before).noneMatch(other -> other == rank))
                .mapToObj(rank -> {
                  int[] more = Arrays.copyOf(before, domains);
                  more[domains - 1] = rank;
                  return more;
                }))
        .toList();
  }

  @Test
  void tapiocaPrefersRanksNearTheIoNode() {
    // Mira: all ranks have equal shares; the bridges of the Pset are nodes 0 and 64.
    Machine mira = MachineDescription.ready("mira");
    int[] processors = IntStream.range(60, 76).map(node -> node * 16).toArray();
    RankMap ranks = RankMap.of(mira, processors);
    DomainTraffic.Builder traffic = DomainTraffic.builder(16, 1);
    for (int rank = 0; rank < 16; rank++) {
      traffic.add(rank, 0, rank == 9 ? 1_000_001 : 1_000_000);
    }
    DomainAssignment elected =
        DomainAssignment.of(
            AssignmentRule.TAPIOCA, traffic.build(), ranks, IntStream.range(0, 16).toArray());
    int aggregator = elected.rankOfDomain()[0];
    int toIo = mira.hopsToIoNode(ranks.processor(aggregator), 0);
    assertThat(toIo).isLessThanOrEqualTo(2);
    assertThat(elected.describe()).startsWith("tapioca: ").contains("hop-bytes");
  }

  /** In a full run, 65,536 ranks of Mira and 2,048 domains; prints the processor time. */
  @Test
  void tatpOfALargeJobNeedsFewerHopBytesThanOtherRules() {
    Seeds.run(1, DomainAssignmentTest::checkLargeJob);
  }

  private static void checkLargeJob(Random random) {
    int size = Effort.times(4096, 65_536);
    int domains = size / 32;
    RankMap ranks = RankMap.bySlot(MachineDescription.ready("mira"), size);
    DomainTraffic.Builder builder = DomainTraffic.builder(size, domains);
    for (int rank = 0; rank < size; rank++) {
      int most = (int) ((long) rank * 37 % size / 32);
      builder.add(rank, most, 1 << 20);
      for (int part = 0; part < 2; part++) { // each with another domain
        int further = 1 + part * domains / 2 + random.nextInt(domains / 2 - 1);
        builder.add(rank, (most + further) % domains, 1 + random.nextInt(1 << 20));
      }
    }
    DomainTraffic traffic = builder.build();
    int[] all = IntStream.range(0, size).toArray();
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    long begin = clock.getCurrentThreadCpuTime();
    DomainAssignment tatp = DomainAssignment.of(AssignmentRule.TATP, traffic, ranks, all);
    System.out.printf(
        "TATP, %,d ranks of Mira, %,d domains: %.1f s%n",
        size, domains, 1e-9 * (clock.getCurrentThreadCpuTime() - begin));
    assertThat(Arrays.stream(tatp.rankOfDomain()).distinct().count()).isEqualTo(domains);
    for (AssignmentRule other : List.of(AssignmentRule.ROMIO, AssignmentRule.LATP)) {
      assertThat(tatp.hopBytes())
          .isLessThan(DomainAssignment.of(other, traffic, ranks, all).hopBytes());
    }
  }

  @Test
  void wrongArgumentsAreRefused() {
    RankMap ranks = RankMap.bySlot(fourNodes(), 4);
    DomainTraffic traffic = DomainTraffic.of(new long[4][3]);
    assertThatThrownBy(
            () -> DomainAssignment.of(AssignmentRule.TATP, traffic, ranks, new int[] {0, 1}))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("2 candidates for 3 domains");
    assertThatThrownBy(
            () -> DomainAssignment.of(AssignmentRule.TATP, traffic, ranks, new int[] {0, 1, 1}))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("rank 1");
    assertThatThrownBy(() -> DomainTraffic.of(new long[][] {{-1}}))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("-1 bytes");
    assertThatThrownBy(() -> AssignmentRule.parse("TATP"))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("tatp or tapioca");
    assertThat(AssignmentRule.parse("latp")).isEqualTo(AssignmentRule.LATP);
  }
}
