package org.hyperslab.mpiio.declared;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Tests where the partitions of declared writes begin. */
final class PartitionBoundsTest {

  /** Ranks whose blocks of equal size follow each other; each makes some writes of its block. */
  private static List<Declaration> blocks(int ranks, int writes, long writeBytes) {
    List<Declaration> all = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      long[] offsets = new long[writes];
      long[] lengths = new long[writes];
      for (int i = 0; i < writes; i++) {
        offsets[i] = ((long) rank * writes + i) * writeBytes;
        lengths[i] = writeBytes;
      }
      all.add(Declaration.of(offsets, lengths));
    }
    return all;
  }

  @Test
  void noRankHasBytesOfTwoPartitionsIfBlocksFollowEachOther() {
    int ranks = 2048;
    AggregationPlan plan =
        AggregationPlan.of(blocks(ranks, 9, 400), 24, 16_000, (shares, parts) -> Optional.empty());
    for (int rank = 0; rank < ranks; rank++) {
      int partition = plan.parts(rank, 0).getFirst().partition();
      for (int write = 0; write < plan.writes(rank); write++) {
        assertThat(plan.parts(rank, write))
            .as("write %d of rank %d", write, rank)
            .allMatch(part -> part.partition() == partition);
      }
    }
  }

  @Test
  void everyByteIsInThePartitionThatContainsIt() {
    Seeds.runFixed(
        200,
        random -> {
          List<Declaration> all = new ArrayList<>();
          for (int rank = 0; rank < 1 + random.nextInt(6); rank++) {
            int count = random.nextInt(5);
            long[] offsets = random.longs(count, 0, 300).toArray();
            long[] lengths = random.longs(count, 0, 60).toArray();
            all.add(Declaration.of(offsets, lengths));
          }
          FilePlaces places = FilePlaces.of(all);
          int partitions = 1 + random.nextInt(6);
          PartitionBounds bounds = PartitionBounds.of(all, places, partitions);
          long sum = 0;
          for (int p = 0; p < partitions; p++) {
            assertThat(bounds.start(p)).isEqualTo(sum);
            assertThat(bounds.bytes(p)).isNotNegative();
            sum += bounds.bytes(p);
          }
          assertThat(sum).isEqualTo(places.total());
          for (long at = 0; at < places.total(); at++) {
            int found = bounds.partitionOf(at);
            assertThat(at - bounds.start(found)).isBetween(0L, bounds.bytes(found) - 1);
          }
        });
  }
}
