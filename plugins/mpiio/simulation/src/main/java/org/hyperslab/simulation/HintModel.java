package org.hyperslab.simulation;

import org.hyperslab.machine.Machine;
import org.hyperslab.machine.StorageServers;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.plan.BufferSizes;

/**
 * Estimates the time of a collective access in closed form, so that combinations of hints can be
 * sorted before the best are simulated: the times of servers, of aggregators that gather and write
 * their cycles in turn, and of ranks that make their requests alone, each without the others.
 *
 * <p>Times are nanoseconds. Thread rule: immutable.
 *
 * @param job the job, whose hints do not matter
 * @param bytes the bytes of all ranks
 * @param extents the extents of all ranks
 * @param range the bytes from the first to the last
 * @param covered the sum of the ranges of the ranks
 */
record HintModel(SimulatedJob job, double bytes, double extents, double range, double covered) {

  /** Returns the model of an access whose extents are given, each rank's in turn. */
  static HintModel of(SimulatedJob job, Iterable<ExtentRuns> lists) {
    double bytes = 0;
    double extents = 0;
    double covered = 0;
    long first = Long.MAX_VALUE;
    long end = 0;
    for (ExtentRuns each : lists) {
      if (!each.isEmpty()) {
        bytes += each.totalBytes();
        extents += each.count();
        covered += each.endExclusive() - each.first();
        first = Math.min(first, each.first());
        end = Math.max(end, each.endExclusive());
      }
    }
    return new HintModel(job, bytes, extents, Math.max(1, end - first), covered);
  }

  /**
   * Returns the estimated time with hints that name an algorithm, and aggregators if it has any.
   */
  double nanos(Hints hints) {
    Machine machine = job.ranks().machine();
    StorageServers storage = SimulatedHints.striped(machine.storage(), hints);
    double servers = Math.max(1, storage.count());
    double stripe = storage.count() > 0 ? storage.stripeBytes() : Double.POSITIVE_INFINITY;
    double perNano = job.traits(hints).costs().nanosPerKibibyte() / 1024.0;
    double request = job.traits(hints).costs().requestNanos();
    int ranks = job.ranks().size();
    if (hints.choice().collective().equals("individual")) {
      double alone = extents / ranks * (request + bytes / extents * perNano);
      return Math.max(alone, (extents * request + bytes * perNano) / servers);
    }
    double aggregators = Math.min(ranks, Math.max(1, hints.buffering().nodes()));
    BufferSizes sizes = BufferSizes.of(hints, job.traits(hints).costs());
    double each = bytes / aggregators;
    double window = Math.min(each, sizes.windowBytes());
    double requests = Math.max(aggregators, bytes / window);
    if (bytes < range * 0.9) {
      requests = Math.max(requests, extents);
    }
    double pieces = Math.min(servers, Math.max(1, window / stripe));
    double busy = (requests * pieces * request + bytes * perNano) / servers;
    double cycle = Math.min(each, sizes.stagingBytes());
    double cycles = Math.ceil(each / cycle);
    double write = requests / aggregators / cycles * (request + window / pieces * perNano);
    double sources = covered > 2 * range ? ranks : Math.max(1, cycle * ranks / bytes);
    if (!hints.choice().collective().equals("two-phase")) {
      sources = Math.min(sources, ranks / aggregators);
    }
    double link = machine.network().levels().getFirst().bytesPerSecond() / 1e9;
    double gather = sources * 2 * machine.messages().overheadNanos() + cycle / link;
    return gather + Math.max(busy, cycles * Math.max(gather, write));
  }
}
