package org.hyperslab.mpiio.plan;

import java.util.Arrays;
import org.hyperslab.mpiio.access.ExtentRuns;

/**
 * Transposes blocks within groups of ranks: the ranks of a group have interleaving extents that
 * make longer ones, and each of them accesses an equal share of these for the group. So a rank
 * exchanges with the others of its group only, and every rank accesses the file.
 *
 * <p>Source: mpich issue 7935, where an {@code MPI_Alltoallv} within rows of the process grid and
 * contiguous writes beat {@code MPI_File_write_all} by six times.
 *
 * @param level the groups
 */
public record Transposition(BlockGrid.Level level) implements Partition {

  /** The name, as hints give it. */
  static final String NAME = "transposed";

  /** Each rank that has bytes has a share, whatever the hints say. */
  @Override
  public int[] ranks(Aggregators chosen) {
    return level.ranks();
  }

  @Override
  public int aggregators() {
    return level.ranks().length;
  }

  /** Returns how many extents of the file a share has at most. */
  long extentsOfShare() {
    long share = Math.ceilDiv(level.extents(), level.groupRanks());
    return level.extents() >= level.groupRanks() ? share : share + 1;
  }

  private int group(int aggregator) {
    return aggregator / level.groupRanks();
  }

  @Override
  public AggregatorPortion portion(ExtentRuns list, int rank, int aggregator) {
    return AggregatorPortion.of(list, territory(aggregator));
  }

  /** Whole extents, or parts of them where a group has more ranks than extents. */
  @Override
  public ExtentRuns territory(int aggregator) {
    long share = aggregator % level.groupRanks();
    long unit = level.extents() >= level.groupRanks() ? level.extentBytes() : 1;
    long units = level.bytes() / unit;
    long from = share * units / level.groupRanks() * unit;
    long to = (share + 1) * units / level.groupRanks() * unit;
    ExtentRuns.Builder builder = ExtentRuns.builder();
    addExtents(level.first()[group(aggregator)], from, to, builder);
    return builder.build();
  }

  /** Adds the packed bytes {@code from .. to} of a group's extents. */
  private void addExtents(long first, long from, long to, ExtentRuns.Builder builder) {
    long length = level.extentBytes();
    for (long at = from; at < to; ) {
      long extent = at / length;
      long within = at % length;
      long part = Math.min(length - within, to - at);
      long offset = first + within;
      long rest = extent;
      for (int d = 0; d < level.counts().length; d++) {
        offset += rest % level.counts()[d] * level.strides()[d];
        rest /= level.counts()[d];
      }
      builder.add(offset, part);
      at += part;
    }
  }

  @Override
  public int[] ranksOf(AccessRanges ranges, int aggregator) {
    int from = group(aggregator) * level.groupRanks();
    int[] members = Arrays.copyOfRange(level.ranks(), from, from + level.groupRanks());
    Arrays.sort(members);
    return members;
  }

  @Override
  public int[] aggregatorsOf(ExtentRuns list, int rank) {
    for (int i = 0; i < level.ranks().length; i++) {
      if (level.ranks()[i] == rank) {
        int from = group(i) * level.groupRanks();
        int[] shares = new int[level.groupRanks()];
        Arrays.setAll(shares, share -> from + share);
        return shares;
      }
    }
    return new int[0];
  }

  @Override
  public double overlaps(AccessRanges ranges) {
    return (double) level.groupRanks() * level.groupRanks();
  }

  @Override
  public String describe() {
    return level.ranks().length / level.groupRanks()
        + " groups of "
        + level.groupRanks()
        + " ranks whose extents make ranges of "
        + level.extentBytes()
        + " bytes, shared equally among";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Transposition same && level == same.level;
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(level.ranks());
  }
}
