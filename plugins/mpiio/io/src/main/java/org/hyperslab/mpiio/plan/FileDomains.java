package org.hyperslab.mpiio.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.hyperslab.mpiio.access.ExtentRuns;

/**
 * Divides the accessed range of a file among aggregators. All methods return disjoint territories
 * that together cover the range.
 *
 * <p>Sources: ROMIO's ad_aggregate.c and ad_lustre_aggregate.c; Nitzberg and Lo, Collective
 * Buffering: Improving Parallel I/O Performance (1997), for CB-B, CB-FL and CB-C; Nitzberg,
 * Collective Parallel I/O (1995), for balanced and random ones; Liao and Choudhary, Dynamically
 * Adapting File Domain Partitioning Methods for Collective I/O Based on Underlying Parallel File
 * System Locking Protocols (2008), for group-cyclic ones.
 */
public final class FileDomains {

  private static final long MAX_RANDOM_BLOCKS = 1 << 16;

  private FileDomains() {}

  /**
   * Divides the range as ROMIO does: equal parts of at least {@code leastBytes} each; the last
   * aggregators may get nothing.
   */
  static Partition even(long first, long endExclusive, int aggregators, long leastBytes) {
    long part = Math.max(Math.ceilDiv(endExclusive - first, aggregators), Math.max(1, leastBytes));
    return contiguous("even domains", first, endExclusive, aggregators, part, 1);
  }

  /**
   * Returns equal parts whose inner boundaries are rounded up to multiples of {@code unitBytes}.
   */
  static Partition aligned(long first, long endExclusive, int aggregators, long unitBytes) {
    long part = Math.ceilDiv(endExclusive - first, aggregators);
    return contiguous(
        "domains aligned to " + unitBytes, first, endExclusive, aggregators, part, unitBytes);
  }

  private static Partition contiguous(
      String name, long first, long endExclusive, int aggregators, long part, long unit) {
    List<ExtentRuns> territories = new ArrayList<>();
    long from = first;
    for (int i = 1; i <= aggregators; i++) {
      long ideal = endExclusive - first <= i * part ? endExclusive : first + i * part;
      long to = i == aggregators ? endExclusive : roundUp(ideal, unit, endExclusive);
      territories.add(ExtentRuns.of(from, Math.max(0, to - from)));
      from = Math.max(from, to);
    }
    return new Partition.Territories(name, List.copyOf(territories));
  }

  private static long roundUp(long offset, long unit, long most) {
    return Math.min(most, Math.ceilDiv(offset, unit) * unit);
  }

  /**
   * Divides the accessed bytes by HPF BLOCK (CB-B): blocks of {@code ceil(n / aggregators)} bytes.
   */
  static Partition block(long first, long endExclusive, int aggregators) {
    long part = Math.ceilDiv(endExclusive - first, aggregators);
    return contiguous("HPF BLOCK", first, endExclusive, aggregators, part, 1);
  }

  /**
   * Returns HPF CYCLIC(k) (CB-C), and with the stripe as block Lustre's: block b of the file,
   * counted from byte 0, belongs to aggregator {@code b mod aggregators}.
   */
  static Partition cyclic(
      String name, long first, long endExclusive, int aggregators, long blockBytes) {
    List<ExtentRuns> territories = new ArrayList<>();
    for (int i = 0; i < aggregators; i++) {
      territories.add(blocksOf(first, endExclusive, aggregators, blockBytes, i));
    }
    return new Partition.Territories(
        name + " in blocks of " + blockBytes, List.copyOf(territories));
  }

  /**
   * Divides the range as equally as possible, as ARC3D divides its grids: parts differ by at most a
   * byte.
   */
  static Partition balanced(long first, long endExclusive, int aggregators) {
    List<ExtentRuns> territories = new ArrayList<>();
    long each = (endExclusive - first) / aggregators;
    long more = (endExclusive - first) % aggregators;
    long from = first;
    for (int i = 0; i < aggregators; i++) {
      long length = each + (i < more ? 1 : 0);
      territories.add(ExtentRuns.of(from, length));
      from += length;
    }
    return new Partition.Territories("balanced domains", List.copyOf(territories));
  }

  /** Assigns blocks to aggregators pseudo-randomly, in a deterministic way. */
  static Partition random(long first, long endExclusive, int aggregators, long blockBytes) {
    long block = Math.max(blockBytes, Math.ceilDiv(endExclusive - first, MAX_RANDOM_BLOCKS));
    List<ExtentRuns.Builder> territories = new ArrayList<>();
    for (int i = 0; i < aggregators; i++) {
      territories.add(ExtentRuns.builder());
    }
    for (long from = first; from < endExclusive; ) {
      long index = from / block;
      long to = Math.min(endExclusive, (index + 1) * block);
      int owner = new SplittableRandom(index).nextInt(aggregators);
      territories.get(owner).add(from, to - from);
      from = to;
    }
    return new Partition.Territories(
        "random blocks of " + block, territories.stream().map(ExtentRuns.Builder::build).toList());
  }

  /**
   * Divides the range of a striped file by stripe, as {@link #lustre} does. If that would leave
   * more than a quarter of the aggregators idle that the servers could use, it is divided into
   * equal parts whose inner boundaries are those of stripes.
   */
  static Partition striped(
      long first, long endExclusive, int aggregators, long stripeBytes, int servers) {
    int active = activeByStripe(aggregators, servers);
    int usable = Math.min(aggregators, servers);
    if (4L * active >= 3L * usable) {
      return lustre(first, endExclusive, aggregators, stripeBytes, servers);
    }
    String name =
        "domains aligned to stripes of %d, as by stripe %d of %d aggregators would divide %d servers,"
            .formatted(stripeBytes, active, aggregators, servers);
    long part = Math.ceilDiv(endExclusive - first, aggregators);
    return contiguous(name, first, endExclusive, aggregators, part, stripeBytes);
  }

  /**
   * Returns how many aggregators divide the servers, or are a multiple of them, at most as many as
   * there are.
   */
  private static int activeByStripe(int aggregators, int servers) {
    int active = aggregators - aggregators % servers;
    for (int few = Math.min(aggregators, servers); active == 0; few--) {
      active = servers % few == 0 ? few : 0;
    }
    return active;
  }

  /**
   * Assigns stripes to aggregators in turn. The number of aggregators that take part divides the
   * number of servers, so that each writes to its own servers, or is a multiple of it, so that each
   * server is written by equally many. The other aggregators get nothing.
   */
  static Partition lustre(
      long first, long endExclusive, int aggregators, long stripeBytes, int servers) {
    int active = activeByStripe(aggregators, servers);
    List<ExtentRuns> territories = new ArrayList<>();
    for (int i = 0; i < aggregators; i++) {
      territories.add(
          i < active ? blocksOf(first, endExclusive, active, stripeBytes, i) : ExtentRuns.empty());
    }
    return new Partition.Territories(
        "cyclic by stripe in blocks of "
            + stripeBytes
            + " over "
            + active
            + " for "
            + servers
            + " servers,",
        List.copyOf(territories));
  }

  /**
   * Divides the range group-cyclically. Each group has one aggregator for each server, and a
   * contiguous part of the range, whose stripes are assigned to its members in turn, so that within
   * a group each server is written by one aggregator. The last group may have fewer members, each
   * of which then writes to several servers.
   */
  static Partition groupCyclic(
      long first, long endExclusive, int aggregators, long stripeBytes, int servers) {
    int groups = Math.ceilDiv(aggregators, servers);
    long round = stripeBytes * servers;
    List<ExtentRuns> territories = new ArrayList<>();
    long from = first;
    for (int group = 0; group < groups; group++) {
      int members = Math.min(servers, aggregators - group * servers);
      double share = Math.min(1, (double) (group + 1) * servers / aggregators);
      long ideal = first + (long) ((endExclusive - first) * share);
      long to = group + 1 == groups ? endExclusive : roundUp(ideal, round, endExclusive);
      for (int member = 0; member < members; member++) {
        territories.add(blocksOf(from, Math.max(from, to), members, stripeBytes, member));
      }
      from = Math.max(from, to);
    }
    return new Partition.Territories(
        "group-cyclic by stripe in blocks of " + stripeBytes + ", " + groups + " groups",
        List.copyOf(territories));
  }

  /** Returns blocks {@code owner, owner + owners, …}, clipped to the range. */
  private static ExtentRuns blocksOf(
      long first, long endExclusive, int owners, long blockBytes, int owner) {
    ExtentRuns.Builder blocks = ExtentRuns.builder();
    long firstBlock = first / blockBytes;
    long block = firstBlock + Math.floorMod(owner - firstBlock, (long) owners);
    long lastWhole = endExclusive / blockBytes;
    if (block == firstBlock && block < lastWhole) {
      blocks.add(first, (block + 1) * blockBytes - first);
      block += owners;
    }
    if (block < lastWhole) {
      long count = Math.ceilDiv(lastWhole - block, (long) owners);
      blocks.addRun(block * blockBytes, blockBytes, blockBytes * owners, count);
      block += count * owners;
    }
    long from = Math.max(first, block * blockBytes);
    if (from < endExclusive) {
      blocks.add(from, Math.min(endExclusive, (block + 1) * blockBytes) - from);
    }
    return blocks.build();
  }

  /**
   * Divides the range by file layout (CB-FL): aggregator i has the bytes on servers i, i +
   * aggregators, …, so that each server is written by one aggregator. With as many aggregators as
   * servers it is {@link #cyclic} by stripe.
   *
   * @param first the first byte of the range
   * @param endExclusive the byte after the last
   * @param aggregators the number of aggregators
   * @param stripeBytes the length of a stripe in bytes
   * @param stripes the number of servers
   * @return the parts of the range, by aggregator
   */
  public static Partition layout(
      long first, long endExclusive, int aggregators, long stripeBytes, int stripes) {
    List<List<ExtentRuns>> parts = new ArrayList<>();
    for (int i = 0; i < aggregators; i++) {
      parts.add(new ArrayList<>());
    }
    for (int server = 0; server < stripes; server++) {
      parts
          .get(server % aggregators)
          .add(blocksOf(first, endExclusive, stripes, stripeBytes, server));
    }
    return new Partition.Territories(
        "file layout, " + stripes + " servers by stripes of " + stripeBytes,
        parts.stream().map(ExtentRuns::union).toList());
  }
}
