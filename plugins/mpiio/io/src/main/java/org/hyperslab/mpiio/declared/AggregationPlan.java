package org.hyperslab.mpiio.declared;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Assigns the bytes of declared writes to aggregators, rounds, and places in buffers. Every rank
 * computes the same plan from the declarations of all.
 *
 * <p>The bytes of all writes, in the order of the file and without gaps, are divided into
 * partitions of about equal size ({@link PartitionBounds}), one for each aggregator, and a
 * partition into rounds that fill a buffer each. All partitions number their rounds in the same
 * way. In the order of a rank's writes, the rounds of its parts never decrease; a part whose round
 * has passed is written by the rank itself. A rank that waits for a round thus waits only for parts
 * that precede its own on every rank, and no two ranks wait for each other.
 *
 * <p>In the printed algorithm 3 a rank takes part in rounds until the last after its first complete
 * write; it must be after its last one. The plan does not need this, because an aggregator knows
 * the parts of each round.
 *
 * <p>Thread rule: immutable.
 */
final class AggregationPlan {

  private final int[] aggregators;
  private final int[] rounds;
  private final List<List<List<Part>>> parts;
  private final List<List<List<Arrival>>> arrivals;

  /**
   * Consecutive bytes of one write.
   *
   * @param partition the partition; -1 if the rank writes the bytes itself
   * @param round the round
   * @param inBuffer the offset of the first byte in the buffer
   * @param inWrite the offset of the first byte in the write
   * @param offset the offset of the first byte in the file
   * @param length the number of bytes
   */
  record Part(int partition, int round, long inBuffer, long inWrite, long offset, long length) {

    boolean isOwn() {
      return partition < 0;
    }
  }

  /**
   * A part that an aggregator receives.
   *
   * @param source the sending rank
   * @param part the part
   */
  record Arrival(int source, Part part) {}

  private AggregationPlan(
      int[] aggregators,
      int[] rounds,
      List<List<List<Part>>> parts,
      List<List<List<Arrival>>> arrivals) {
    this.aggregators = aggregators;
    this.rounds = rounds;
    this.parts = parts;
    this.arrivals = arrivals;
  }

  /**
   * Plans the writes of all ranks.
   *
   * @param all the declaration of each rank
   * @param partitions the greatest number of aggregators
   * @param bufferBytes the greatest number of bytes of a round
   * @param election elects the rank of each partition
   */
  static AggregationPlan of(
      List<Declaration> all, int partitions, long bufferBytes, DeclaredWrites.Election election) {
    FilePlaces places = FilePlaces.of(all);
    long total = places.total();
    int count = Math.clamp(Math.ceilDiv(total, bufferBytes), 1, partitions);
    PartitionBounds bounds = PartitionBounds.of(all, places, count);
    int[] rounds = new int[count];
    for (int p = 0; p < count; p++) {
      rounds[p] = Math.toIntExact(Math.ceilDiv(bounds.bytes(p), bufferBytes));
    }
    List<List<List<Part>>> parts =
        fewerOwn(
            cut(all, new Cutter(places, bounds, bufferBytes, BY_PLACE)),
            cut(all, new Cutter(places, bounds, bufferBytes, BY_ROUND)));
    List<List<List<Arrival>>> arrivals = new ArrayList<>();
    for (int p = 0; p < count; p++) {
      List<List<Arrival>> ofRounds = new ArrayList<>();
      for (int r = 0; r < rounds[p]; r++) {
        ofRounds.add(new ArrayList<>());
      }
      arrivals.add(ofRounds);
    }
    for (int rank = 0; rank < all.size(); rank++) {
      for (List<Part> write : parts.get(rank)) {
        for (Part part : write) {
          if (!part.isOwn()) {
            arrivals.get(part.partition).get(part.round).add(new Arrival(rank, part));
          }
        }
      }
    }
    long[][] shares = shares(parts, count);
    int[] aggregators = election.elect(shares, count).orElseGet(() -> withMostBytes(shares, count));
    return new AggregationPlan(aggregators, rounds, parts, arrivals);
  }

  private static final Comparator<Part> BY_PLACE =
      Comparator.comparingInt(Part::partition).thenComparingInt(Part::round);

  private static final Comparator<Part> BY_ROUND = Comparator.comparingInt(Part::round);

  private static List<List<List<Part>>> cut(List<Declaration> all, Cutter cutter) {
    return all.stream().map(cutter::cut).toList();
  }

  private static List<List<List<Part>>> fewerOwn(
      List<List<List<Part>>> some, List<List<List<Part>>> others) {
    return ownBytes(some) <= ownBytes(others) ? some : others;
  }

  private static long ownBytes(List<List<List<Part>>> parts) {
    return parts.stream()
        .flatMap(List::stream)
        .flatMap(List::stream)
        .filter(Part::isOwn)
        .mapToLong(Part::length)
        .sum();
  }

  /** Divides writes at the ends of partitions and rounds. */
  private record Cutter(
      FilePlaces places, PartitionBounds bounds, long bufferBytes, Comparator<Part> order) {

    List<List<Part>> cut(Declaration writes) {
      List<List<Part>> all = new ArrayList<>();
      Part reached = null;
      for (int i = 0; i < writes.count(); i++) {
        List<Part> ofWrite = new ArrayList<>();
        long done = 0;
        while (done < writes.length(i)) {
          Part part = next(writes.offset(i), done, writes.length(i) - done);
          if (reached == null || order.compare(part, reached) >= 0) {
            reached = part;
            ofWrite.add(part);
          } else {
            ofWrite.add(new Part(-1, part.round, 0, done, part.offset, part.length));
          }
          done += part.length;
        }
        all.add(List.copyOf(ofWrite));
      }
      return all;
    }

    private Part next(long offset, long done, long left) {
      long packed = places.packedOf(offset + done);
      int partition = bounds.partitionOf(packed);
      long inPartition = packed - bounds.start(partition);
      long inBuffer = inPartition % bufferBytes;
      long room = Math.min(bufferBytes - inBuffer, bounds.bytes(partition) - inPartition);
      return new Part(
          partition,
          Math.toIntExact(inPartition / bufferBytes),
          inBuffer,
          done,
          offset + done,
          Math.min(left, room));
    }
  }

  /** Returns for each rank alternating partitions, ascending, and the bytes that it has of them. */
  private static long[][] shares(List<List<List<Part>>> parts, int partitions) {
    long[][] shares = new long[parts.size()][];
    long[] bytes = new long[partitions];
    for (int rank = 0; rank < shares.length; rank++) {
      TreeSet<Integer> touched = new TreeSet<>();
      for (List<Part> write : parts.get(rank)) {
        for (Part part : write) {
          if (!part.isOwn()) {
            touched.add(part.partition);
            bytes[part.partition] += part.length;
          }
        }
      }
      shares[rank] = new long[2 * touched.size()];
      int used = 0;
      for (int partition : touched) {
        shares[rank][used++] = partition;
        shares[rank][used++] = bytes[partition];
        bytes[partition] = 0;
      }
    }
    return shares;
  }

  /**
   * Returns the aggregator of each partition: among the ranks that do not aggregate yet, the one
   * with most of its bytes, the lowest of several. If distances are unknown, this has the least
   * cost (TAPIOCA's C1; C2 is the same for all).
   */
  private static int[] withMostBytes(long[][] shares, int partitions) {
    List<List<long[]>> candidates = new ArrayList<>(); // a rank and its bytes each
    for (int p = 0; p < partitions; p++) {
      candidates.add(new ArrayList<>());
    }
    for (int rank = 0; rank < shares.length; rank++) {
      for (int i = 0; i < shares[rank].length; i += 2) {
        candidates.get((int) shares[rank][i]).add(new long[] {rank, shares[rank][i + 1]});
      }
    }
    int[] elected = new int[partitions];
    BitSet taken = new BitSet();
    for (int p = 0; p < partitions; p++) {
      long[] best = {taken.nextClearBit(0), 0};
      for (long[] candidate : candidates.get(p)) {
        best = !taken.get((int) candidate[0]) && candidate[1] > best[1] ? candidate : best;
      }
      elected[p] = (int) best[0];
      taken.set(elected[p]);
    }
    return elected;
  }

  int partitions() {
    return aggregators.length;
  }

  /** Returns the rank that collects a partition; one rank collects no more than one. */
  int aggregator(int partition) {
    return aggregators[partition];
  }

  /** Returns the partition that a rank collects; -1 if none. */
  int partitionOf(int rank) {
    for (int p = 0; p < aggregators.length; p++) {
      if (aggregators[p] == rank) {
        return p;
      }
    }
    return -1;
  }

  int rounds(int partition) {
    return rounds[partition];
  }

  /** Returns how many bytes of a buffer the largest round of a partition takes. */
  long bufferBytes(int partition) {
    long most = 0;
    for (List<Arrival> round : arrivals.get(partition)) {
      for (Arrival arrival : round) {
        most = Math.max(most, arrival.part.inBuffer + arrival.part.length);
      }
    }
    return most;
  }

  /** Returns the number of a rank's writes. */
  int writes(int rank) {
    return parts.get(rank).size();
  }

  /** Returns the parts of a rank's write, in order. */
  List<Part> parts(int rank, int write) {
    return parts.get(rank).get(write);
  }

  /** Returns the parts of a round, those of a source in the order in which it sends them. */
  List<Arrival> arrivals(int partition, int round) {
    return arrivals.get(partition).get(round);
  }

  /**
   * Returns the writes of a round: ascending runs of adjacent bytes in the file, each with its
   * place in the buffer.
   *
   * @param arrived the parts in the buffer
   */
  static List<Part> segments(List<Arrival> arrived) {
    Part[] sorted = arrived.stream().map(Arrival::part).toArray(Part[]::new);
    Arrays.sort(sorted, Comparator.comparingLong(Part::offset));
    List<Part> segments = new ArrayList<>();
    for (Part part : sorted) {
      Part last = segments.isEmpty() ? null : segments.getLast();
      long end = last == null ? -1 : last.offset + last.length;
      if (last == null || part.offset > end) {
        segments.add(part);
      } else if (part.offset + part.length > end) {
        long length = part.offset + part.length - last.offset;
        segments.set(
            segments.size() - 1,
            new Part(last.partition, last.round, last.inBuffer, last.inWrite, last.offset, length));
      }
    }
    return segments;
  }

  /**
   * Describes the plan: the numbers of aggregators and rounds, and the bytes that ranks write
   * themselves.
   */
  @Override
  public String toString() {
    long own = ownBytes(parts);
    return "aggregators "
        + Arrays.toString(aggregators)
        + ", rounds "
        + Arrays.toString(rounds)
        + (own == 0 ? "" : ", " + own + " bytes out of turn, written by their ranks");
  }
}
