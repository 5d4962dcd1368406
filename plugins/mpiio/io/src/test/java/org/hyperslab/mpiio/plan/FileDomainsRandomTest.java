package org.hyperslab.mpiio.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.collective.AccessPattern;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

class FileDomainsRandomTest {

  private static List<Partition> all(Random random, long first, long end, int aggregators) {
    long unit = 1 + random.nextInt(500);
    int stripes = 1 + random.nextInt(6);
    return List.of(
        FileDomains.even(first, end, aggregators, random.nextInt(300)),
        FileDomains.aligned(first, end, aggregators, unit),
        FileDomains.block(first, end, aggregators),
        FileDomains.cyclic("cyclic", first, end, aggregators, unit),
        FileDomains.lustre(first, end, aggregators, unit, stripes),
        FileDomains.striped(first, end, aggregators, unit, stripes),
        FileDomains.groupCyclic(first, end, aggregators, unit, stripes),
        FileDomains.balanced(first, end, aggregators),
        FileDomains.random(first, end, aggregators, unit),
        FileDomains.layout(first, end, aggregators, unit, stripes));
  }

  @Test
  void territoriesAreDisjointAndCoverTheRange() {
    Seeds.runFixed(
        500,
        random -> {
          long first =
              random.nextInt(3) == 0 ? (1L << 40) + random.nextInt(999) : random.nextInt(999);
          long end = first + random.nextInt(5000);
          int aggregators = 1 + random.nextInt(9);
          for (Partition partition : all(random, first, end, aggregators)) {
            List<ExtentRuns> territories = new ArrayList<>();
            long sum = 0;
            for (int i = 0; i < aggregators; i++) {
              territories.add(partition.territory(i));
              sum += partition.territory(i).totalBytes();
            }
            ExtentRuns range = ExtentRuns.of(first, end - first);
            assertThat(sum).as("%s", partition).isEqualTo(end - first);
            assertThat(ExtentRuns.union(territories)).as("%s", partition).isEqualTo(range);
          }
        });
  }

  @Test
  void portionsOfAListAreThatListInOrder() {
    Seeds.runFixed(
        300,
        random -> {
          AccessPattern pattern = AccessPattern.random(random);
          ExtentRuns list = pattern.lists.get(0);
          int aggregators = 1 + random.nextInt(5);
          long end = pattern.base + pattern.span;
          for (Partition partition : all(random, pattern.base, end, aggregators)) {
            long sum = 0;
            for (int i = 0; i < aggregators; i++) {
              AggregatorPortion portion = partition.portion(list, 0, i);
              sum += portion.totalBytes();
              if (portion.totalBytes() > 0) {
                checkPlace(list, portion, random.nextInt((int) portion.totalBytes()));
              }
            }
            assertThat(sum).isEqualTo(list.totalBytes());
          }
        });
  }

  @Test
  void partitionPreparedForAllRanksAnswersAsTheOther() {
    Seeds.runFixed(
        300,
        random -> {
          AccessPattern pattern = AccessPattern.random(random);
          int aggregators = 1 + random.nextInt(5);
          long end = pattern.base + pattern.span;
          AccessSummary[] summaries =
              pattern.lists.stream()
                  .map(list ->
                      AccessSummary.of(list, -1, new AccessSummary.Circumstances(0, 0, 0, 0, 0, 0)))
                  .toArray(AccessSummary[]::new);
          AccessRanges ranges = AccessRanges.of(summaries);
          List<Partition> partitions = new ArrayList<>(all(random, pattern.base, end, aggregators));
          partitions.add(
              new Partition.Groups(
                  random.ints(summaries.length, 0, aggregators).boxed().toList(), aggregators));
          for (Partition partition : partitions) {
            Partition indexed = partition.indexed();
            for (int i = 0; i < aggregators; i++) {
              assertThat(indexed.ranksOf(ranges.indexed(), i))
                  .as("%s", partition)
                  .isEqualTo(partition.ranksOf(ranges, i));
            }
            for (int rank = 0; rank < summaries.length; rank++) {
              ExtentRuns list = pattern.lists.get(rank);
              assertThat(indexed.aggregatorsOf(list, rank))
                  .as("%s", partition)
                  .isEqualTo(partition.aggregatorsOf(list, rank));
            }
          }
        });
  }

  /** Checks that a portion maps each of its bytes to the right byte of the whole. */
  private static void checkPlace(ExtentRuns list, AggregatorPortion portion, long packed) {
    var inPortion = portion.extents().cursor();
    inPortion.seekPacked(packed);
    inPortion.next();
    var inWhole = list.cursor();
    inWhole.seekPacked(portion.wholePosition(packed));
    inWhole.next();
    assertThat(inWhole.offset()).isEqualTo(inPortion.offset());
    AggregatorPortion part = portion.part(packed, portion.totalBytes());
    assertThat(part.wholePosition(0)).isEqualTo(portion.wholePosition(packed));
  }

  @Test
  void domainsAreAlignedWhereAsked() {
    Partition aligned = FileDomains.aligned(1000, 9000, 3, 512);
    assertThat(aligned.territory(0)).isEqualTo(ExtentRuns.of(1000, 4096 - 1000));
    assertThat(aligned.territory(1)).isEqualTo(ExtentRuns.of(4096, 6656 - 4096));
    Partition stripes = FileDomains.cyclic("by stripe", 100, 1000, 2, 256);
    assertThat(stripes.territory(0))
        .isEqualTo(ExtentRuns.of(new long[] {100, 512}, new long[] {156, 256}));
    assertThat(stripes.territory(1))
        .isEqualTo(ExtentRuns.of(new long[] {256, 768}, new long[] {256, 232}));
  }

  private static List<Long> serversOf(ExtentRuns territory, long stripe, int servers) {
    List<Long> all = new ArrayList<>();
    var cursor = territory.cursor();
    while (cursor.next()) {
      for (long at = cursor.offset(); at < cursor.offset() + cursor.length(); at++) {
        all.add(at / stripe % servers);
      }
    }
    return all.stream().distinct().sorted().toList();
  }

  @Test
  void aggregatorsOfLustreDivideTheServers() {
    Partition six = FileDomains.lustre(0, 1200, 5, 10, 6);
    assertThat(six.territory(3).isEmpty()).as("3 of 5 take part for 6 servers").isTrue();
    assertThat(serversOf(six.territory(1), 10, 6)).containsExactly(1L, 4L);
    Partition many = FileDomains.lustre(0, 1200, 14, 10, 6);
    assertThat(many.territory(12).isEmpty()).as("12 of 14").isTrue();
    assertThat(serversOf(many.territory(11), 10, 6)).containsExactly(5L);
  }

  @Test
  void aggregatorsThatDoNotDivideTheServersHaveEqualParts() {
    Partition four = FileDomains.striped(0, 2800, 4, 10, 7);
    for (int i = 0; i < 4; i++) {
      assertThat(four.territory(i)).isEqualTo(ExtentRuns.of(i * 700L, 700));
    }
    assertThat(four.describe()).contains("as by stripe 1 of 4 aggregators would divide 7 servers");
    assertThat(FileDomains.striped(0, 2800, 4, 10, 8).territory(1))
        .as("four divide eight")
        .isEqualTo(FileDomains.lustre(0, 2800, 4, 10, 8).territory(1));
    assertThat(FileDomains.striped(0, 2800, 9, 10, 8).describe())
        .as("eight of nine keep all servers busy")
        .isEqualTo(FileDomains.lustre(0, 2800, 9, 10, 8).describe());
  }

  @Test
  void groupCyclicDomainsHaveOneServerForEachAggregatorOfAGroup() {
    Partition groups = FileDomains.groupCyclic(0, 2400, 8, 10, 4);
    for (int i = 0; i < 8; i++) {
      assertThat(serversOf(groups.territory(i), 10, 4)).containsExactly((long) i % 4);
      assertThat(groups.territory(i).first() / 1200).as("half of the range").isEqualTo(i / 4);
      assertThat((groups.territory(i).endExclusive() - 1) / 1200).isEqualTo(i / 4);
    }
  }

  @Test
  void balancedDomainsDifferByAByteAtMost() {
    Partition balanced = FileDomains.balanced(0, 25, 8);
    for (int i = 0; i < 8; i++) {
      assertThat(balanced.territory(i).totalBytes()).isBetween(3L, 4L);
    }
    assertThat(FileDomains.even(0, 25, 8, 0).territory(7).isEmpty()).as("ceilings").isTrue();
  }

  @Test
  void windowsFitTheBufferWithAnyOverlaps() {
    Seeds.runFixed(
        300,
        random -> {
          AccessPattern pattern = AccessPattern.random(random);
          long bytes = pattern.ranks() + random.nextInt(2000);
          long unit = 1 + random.nextInt(64);
          long[] cuts = Windows.cut(pattern.lists, bytes, unit);
          long total = 0;
          for (int i = 0; i + 1 < cuts.length; i++) {
            assertThat(cuts[i]).isLessThan(cuts[i + 1]);
            long held = 0;
            for (ExtentRuns list : pattern.lists) {
              held += list.within(cuts[i], cuts[i + 1]).totalBytes();
            }
            assertThat(held).as("window %s of %s", i, pattern).isLessThanOrEqualTo(bytes);
            total += held;
          }
          assertThat(total)
              .isEqualTo(pattern.lists.stream().mapToLong(ExtentRuns::totalBytes).sum());
        });
  }

  @Test
  void windowsSkipUnaccessedRanges() {
    List<ExtentRuns> lists = List.of(ExtentRuns.of(0, 100), ExtentRuns.of(1L << 50, 100));
    assertThat(Windows.cut(lists, 1000, 1)).hasSize(2);
    assertThat(Windows.cut(lists, 100, 1).length).isLessThanOrEqualTo(4);
  }
}
