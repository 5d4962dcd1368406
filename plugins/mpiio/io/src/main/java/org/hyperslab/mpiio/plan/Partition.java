package org.hyperslab.mpiio.plan;

import java.util.Arrays;
import java.util.List;
import org.hyperslab.mpiio.access.ExtentRuns;

/** Assigns the bytes of all ranks to aggregators. Every byte is assigned to exactly one. */
public sealed interface Partition permits Partition.Territories, Partition.Groups, Transposition {

  /** {@return the number of aggregators among which the bytes are divided} */
  int aggregators();

  /**
   * {@return the bytes of a rank's list that pass through the aggregator of an index}
   *
   * @param list the extents
   * @param rank the rank
   * @param aggregator the index of the aggregator
   */
  AggregatorPortion portion(ExtentRuns list, int rank, int aggregator);

  /**
   * {@return the region of the file that an aggregator alone touches; empty if there is none}
   *
   * @param aggregator the index of the aggregator
   */
  ExtentRuns territory(int aggregator);

  /**
   * {@return a superset of the ranks that have bytes for an aggregator, ascending}
   *
   * @param ranges the range of the file that each rank accesses
   * @param aggregator the index of the aggregator
   */
  int[] ranksOf(AccessRanges ranges, int aggregator);

  /**
   * {@return a superset of the aggregators for which a rank has bytes, ascending}
   *
   * @param list the extents
   * @param rank the rank
   */
  int[] aggregatorsOf(ExtentRuns list, int rank);

  /**
   * Estimates the number of pairs that a rank examines to find all bytes of others in the parts of
   * the file where it has bytes itself.
   *
   * @param ranges the range of the file that each rank accesses
   * @return the number, the same on every rank
   */
  double overlaps(AccessRanges ranges);

  /**
   * {@return the bytes that a rank has for each aggregator: pairs of an index, ascending, and a
   * number above 0}
   *
   * @param list the extents
   * @param rank the rank
   */
  default long[] shares(ExtentRuns list, int rank) {
    int[] touched = aggregatorsOf(list, rank);
    long[] shares = new long[2 * touched.length];
    int used = 0;
    for (int aggregator : touched) {
      long bytes = portion(list, rank, aggregator).totalBytes();
      if (bytes > 0) {
        shares[used++] = aggregator;
        shares[used++] = bytes;
      }
    }
    return Arrays.copyOf(shares, used);
  }

  /** {@return the same partition, prepared for the questions of all ranks} */
  default Partition indexed() {
    return this;
  }

  /**
   * Describes the partition for messages.
   *
   * @return one line of text
   */
  String describe();

  /**
   * {@return the rank of each aggregator}
   *
   * @param chosen by hints and rules
   */
  int[] ranks(Aggregators chosen);

  /**
   * A partition by place in the file: each aggregator has a territory.
   *
   * @param name the name of the division
   * @param territories one for each aggregator, disjoint
   * @param index their pieces by place; null if each territory is asked, which is less work for the
   *     questions of one rank
   */
  record Territories(String name, List<ExtentRuns> territories, TerritoryIndex index)
      implements Partition {

    Territories(String name, List<ExtentRuns> territories) {
      this(name, territories, null);
    }

    @Override
    public Territories indexed() {
      return new Territories(name, territories, TerritoryIndex.of(territories));
    }

    @Override
    public int aggregators() {
      return territories.size();
    }

    @Override
    public AggregatorPortion portion(ExtentRuns list, int rank, int aggregator) {
      return AggregatorPortion.of(list, territories.get(aggregator));
    }

    @Override
    public ExtentRuns territory(int aggregator) {
      return territories.get(aggregator);
    }

    @Override
    public int[] ranksOf(AccessRanges ranges, int aggregator) {
      ExtentRuns territory = territories.get(aggregator);
      int[] found = ranges.meeting(territory.first(), territory.endExclusive());
      if (territory.count() <= 1) {
        return found;
      }
      int count = 0;
      for (int rank : found) {
        if (holds(territory, ranges.first()[rank], ranges.endExclusive()[rank])) {
          found[count++] = rank;
        }
      }
      return Arrays.copyOf(found, count);
    }

    /** Returns whether a byte of {@code from .. toExclusive} is in the territory. */
    private static boolean holds(ExtentRuns territory, long from, long toExclusive) {
      if (territory.count() <= 1) {
        return Math.max(from, territory.first()) < Math.min(toExclusive, territory.endExclusive());
      }
      return territory.packedAt(from) < territory.packedAt(toExclusive);
    }

    @Override
    public int[] aggregatorsOf(ExtentRuns list, int rank) {
      int[] owners =
          index == null ? null : index.ownersOf(list.first(), list.endExclusive(), aggregators());
      if (owners != null) {
        return owners;
      }
      int[] found = new int[list.isEmpty() ? 0 : aggregators()];
      int count = 0;
      for (int i = 0; i < found.length; i++) {
        if (holds(territories.get(i), list.first(), list.endExclusive())) {
          found[count++] = i;
        }
      }
      return Arrays.copyOf(found, count);
    }

    @Override
    public double overlaps(AccessRanges ranges) {
      double piece = pieceBytes();
      double most = 0;
      double sum = 0;
      for (int rank = 0; rank < ranges.ranks(); rank++) {
        double length = (double) ranges.endExclusive()[rank] - ranges.first()[rank];
        double touched = length > 0 ? Math.min(aggregators(), length / piece + 2) : 0;
        most = Math.max(most, touched);
        sum += touched;
      }
      return most * sum / aggregators();
    }

    /** Returns the mean length of the pieces of territories. */
    private double pieceBytes() {
      double bytes = 1;
      double pieces = 1;
      for (ExtentRuns territory : territories) {
        bytes += territory.totalBytes();
        pieces += territory.count();
      }
      return Math.max(1, bytes / pieces);
    }

    @Override
    public String describe() {
      return name + " over " + aggregators();
    }

    @Override
    public int[] ranks(Aggregators chosen) {
      return chosen.toArray();
    }
  }

  /**
   * A partition by rank: each aggregator has a group of ranks.
   *
   * @param groups the index of each rank's aggregator
   * @param aggregators the number of aggregators
   * @param members the ranks of each aggregator, ascending; null if all ranks are asked, which is
   *     less work for the questions of one rank
   */
  record Groups(List<Integer> groups, int aggregators, int[][] members) implements Partition {

    private static final int MAX_SHOWN = 64;

    Groups(List<Integer> groups, int aggregators) {
      this(groups, aggregators, null);
    }

    @Override
    public Groups indexed() {
      int[] counts = new int[aggregators];
      for (int group : groups) {
        counts[group]++;
      }
      int[][] ranks = new int[aggregators][];
      Arrays.setAll(ranks, group -> new int[counts[group]]);
      Arrays.fill(counts, 0);
      for (int rank = 0; rank < groups.size(); rank++) {
        int group = groups.get(rank);
        ranks[group][counts[group]++] = rank;
      }
      return new Groups(groups, aggregators, ranks);
    }

    @Override
    public AggregatorPortion portion(ExtentRuns list, int rank, int aggregator) {
      return groups.get(rank) == aggregator
          ? AggregatorPortion.all(list)
          : AggregatorPortion.nothing();
    }

    @Override
    public ExtentRuns territory(int aggregator) {
      return ExtentRuns.empty();
    }

    @Override
    public int[] ranksOf(AccessRanges ranges, int aggregator) {
      if (members != null) {
        return Arrays.stream(members[aggregator])
            .filter(rank -> ranges.endExclusive()[rank] > 0)
            .toArray();
      }
      int[] found = new int[ranges.ranks()];
      int count = 0;
      for (int rank = 0; rank < found.length; rank++) {
        if (groups.get(rank) == aggregator && ranges.endExclusive()[rank] > 0) {
          found[count++] = rank;
        }
      }
      return Arrays.copyOf(found, count);
    }

    @Override
    public int[] aggregatorsOf(ExtentRuns list, int rank) {
      return list.isEmpty() ? new int[0] : new int[] {groups.get(rank)};
    }

    @Override
    public double overlaps(AccessRanges ranges) {
      return 0; // of one group
    }

    @Override
    public int[] ranks(Aggregators chosen) {
      return chosen.leadersArray();
    }

    @Override
    public String describe() {
      boolean few = groups.size() <= MAX_SHOWN;
      return aggregators
          + " groups of ranks "
          + (few ? groups : groups.subList(0, MAX_SHOWN) + " and so on");
    }
  }
}
