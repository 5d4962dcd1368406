package org.hyperslab.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.hyperslab.machine.MachineDescription;
import org.hyperslab.machine.RankMap;
import org.hyperslab.machine.assignment.AssignmentRule;
import org.hyperslab.machine.assignment.DomainAssignment;
import org.hyperslab.machine.assignment.DomainTraffic;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Tests that ranks which know only their own costs elect the same aggregators. */
final class AggregatorElectionTest {

  @Test
  void ranksElectTheAggregatorsThatTheFormulaNames() {
    Seeds.run(
        5,
        random -> {
          int size = 2 + random.nextInt(5);
          RankMap ranks = RankMap.bySlot(MachineDescription.ready("crill"), size * 30);
          int[] processors = new int[size];
          Arrays.setAll(processors, i -> ranks.processor(i * 30));
          RankMap few = RankMap.of(ranks.machine(), processors);
          long[][] c = new long[size][2];
          for (long[] row : c) {
            Arrays.setAll(row, i -> random.nextInt(1 << 20));
          }
          DomainTraffic traffic = DomainTraffic.of(c);
          int[] all = IntStream.range(0, size).toArray();
          DomainAssignment known = DomainAssignment.of(AssignmentRule.TAPIOCA, traffic, few, all);
          ThreadWorld.run(
              size,
              world ->
                  assertThat(AggregatorElection.elect(world, traffic, few).rankOfDomain())
                      .isEqualTo(known.rankOfDomain()));
        });
  }
}
