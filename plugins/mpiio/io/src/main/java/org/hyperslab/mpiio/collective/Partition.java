package org.hyperslab.mpiio.collective;

import java.util.List;
import org.hyperslab.mpiio.access.ExtentRuns;

/** Assigns the bytes of all ranks to aggregators. Every byte is assigned to exactly one. */
sealed interface Partition {

  /** How many aggregators. */
  int aggregators();

  /** The bytes of a rank's list that pass through the aggregator of an index. */
  Portion portion(ExtentRuns list, int rank, int aggregator);

  /** The region of the file that an aggregator alone touches; empty if there is none. */
  ExtentRuns territory(int aggregator);

  /** For people. */
  String describe();

  /**
   * By place in the file: each aggregator has a territory.
   *
   * @param name how the file was divided
   * @param territories one for each aggregator, disjoint
   */
  record Territories(String name, List<ExtentRuns> territories) implements Partition {
    @Override
    public int aggregators() {
      return territories.size();
    }

    @Override
    public Portion portion(ExtentRuns list, int rank, int aggregator) {
      return Portion.of(list, territories.get(aggregator));
    }

    @Override
    public ExtentRuns territory(int aggregator) {
      return territories.get(aggregator);
    }

    @Override
    public String describe() {
      return name + " over " + aggregators();
    }
  }

  /**
   * By rank: each aggregator has a group of ranks.
   *
   * @param groups the index of each rank's aggregator
   * @param aggregators how many
   */
  record Groups(List<Integer> groups, int aggregators) implements Partition {
    @Override
    public Portion portion(ExtentRuns list, int rank, int aggregator) {
      return groups.get(rank) == aggregator ? Portion.all(list) : Portion.nothing();
    }

    @Override
    public ExtentRuns territory(int aggregator) {
      return ExtentRuns.empty();
    }

    @Override
    public String describe() {
      return aggregators + " groups of ranks " + groups;
    }
  }
}
