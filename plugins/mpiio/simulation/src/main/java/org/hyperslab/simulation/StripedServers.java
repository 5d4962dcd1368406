package org.hyperslab.simulation;

import java.util.Arrays;
import org.hyperslab.machine.ServerCosts;
import org.hyperslab.machine.StorageServers;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.simulation.network.LongNumbers;

/**
 * The servers of a file in virtual time. Each serves one request after the other, in the order of
 * the calls; a request occupies it for its {@link ServerCosts} and the time of its bytes.
 *
 * <p>Times are nanoseconds from the start. Thread rule: one thread.
 */
final class StripedServers {

  private final StorageServers servers;
  private final double requestNanos;
  private final double bytesPerNano;
  private final double[] free;
  private final long[] ended;
  private final long[] served;
  private final StripeLocks locks = new StripeLocks();
  private long requests;

  /**
   * Creates idle servers.
   *
   * @param known the servers of the file; one of unlimited stripes if they are not known
   * @param costs the costs that they do not state
   */
  StripedServers(StorageServers known, UnstatedCosts costs) {
    servers =
        known.count() > 0
            ? known
            : new StorageServers(1, Long.MAX_VALUE, known.bytesPerSecond(), known.costs(), 0);
    double bandwidth = known.bytesPerSecond();
    bytesPerNano = (bandwidth > 0 ? bandwidth : costs.storageBytesPerSecond()) / 1e9;
    requestNanos = known.costs().isKnown() ? known.costs().requestNanos() : costs.requestNanos();
    free = new double[servers.count()];
    ended = new long[free.length];
    served = new long[free.length];
    Arrays.fill(ended, -1);
  }

  /** Serves a request for consecutive bytes; returns when it has been answered. */
  double serve(int client, long from, long bytes, boolean write, double now) {
    requests++;
    return serveExtent(client, from, bytes, write, now);
  }

  /** Serves one request that lists all extents; returns when it has been answered. */
  double serve(int client, ExtentRuns extents, boolean write, double now) {
    requests++;
    double end = now;
    ExtentList.Cursor cursor = extents.cursor();
    for (long seen = 0; seen < SimulatedStorage.MAX_EXTENTS && cursor.next(); seen++) {
      end = Math.max(end, serveExtent(client, cursor.offset(), cursor.length(), write, now));
    }
    return end;
  }

  /**
   * Serves very many requests of a rank, one after the other. All servers have the same share of
   * them; seeks, locks and blocks are not looked at.
   */
  double serveMany(ExtentRuns extents, double now) {
    double alone = extents.count() * requestNanos + extents.totalBytes() / bytesPerNano;
    double end = now + alone;
    for (int server = 0; server < free.length; server++) {
      free[server] = Math.max(free[server], now) + alone / free.length;
      end = Math.max(end, free[server]);
    }
    return end;
  }

  private double serveExtent(int client, long from, long bytes, boolean write, double now) {
    long stripe = servers.stripeBytes();
    long last = from + bytes;
    double end = now;
    long first = from / stripe;
    long stripes = bytes == 0 ? 1 : (last - 1) / stripe - first + 1;
    for (long i = first; i < first + Math.min(stripes, free.length); i++) {
      int server = (int) (i % free.length);
      long begin = Math.max(from, i * stripe);
      double busy = lockNanos(client, i, last, write);
      busy += busyNanos(server, begin, share(begin, last, i), write);
      free[server] = Math.max(free[server], now) + busy;
      end = Math.max(end, free[server]);
    }
    return end;
  }

  /** Returns the bytes of a range in a stripe and every following one of the same server. */
  private long share(long begin, long last, long firstStripe) {
    long stripe = servers.stripeBytes();
    if (last - firstStripe * stripe <= stripe) {
      return last - begin;
    }
    long sum = (firstStripe + 1) * stripe - begin;
    long next = (firstStripe + free.length) * stripe;
    if (next < last) {
      long step = stripe * free.length;
      long more = (last - 1 - next) / step;
      sum += more * stripe + Math.min(stripe, last - next - more * step);
    }
    return sum;
  }

  private double busyNanos(int server, long begin, long bytes, boolean write) {
    ServerCosts costs = servers.costs();
    double busy = bytes / bytesPerNano;
    if (served[server] != requests) {
      served[server] = requests;
      busy += requestNanos;
    }
    if (costs.seekNanos() > 0) {
      busy += begin == ended[server] ? 0 : costs.seekNanos();
      ended[server] = following(begin, bytes);
    }
    if (write && costs.blockBytes() > 1) {
      busy += partialBlocks(begin % costs.blockBytes(), bytes) * costs.blockBytes() / bytesPerNano;
    }
    return busy;
  }

  /** Returns the place in the file that follows a share of a server in the order of its bytes. */
  private long following(long begin, long bytes) {
    long stripe = servers.stripeBytes();
    if (free.length == 1) {
      return begin + bytes;
    }
    long within = begin % stripe + bytes;
    return begin - begin % stripe + within / stripe * stripe * free.length + within % stripe;
  }

  /** Returns how many blocks at the ends of a share a write covers in part. */
  private double partialBlocks(long from, long bytes) {
    long block = servers.costs().blockBytes();
    long end = from + bytes;
    if (end <= block) {
      return bytes == block ? 0 : 1;
    }
    return (from > 0 ? 1 : 0) + (end % block > 0 ? 1 : 0);
  }

  /** Returns the time of taking the locks of a stripe and every following one of its server. */
  private double lockNanos(int client, long firstStripe, long last, boolean write) {
    double each = servers.costs().lockNanos();
    double sum = 0;
    if (each > 0) {
      for (long at = firstStripe; at * servers.stripeBytes() < last; at += free.length) {
        sum += locks.isTaken(at, client, write) ? each : 0;
      }
    }
    return sum;
  }

  /** The node that has written each stripe last, and therefore has its lock. */
  private static final class StripeLocks {

    private final LongNumbers holders = new LongNumbers();

    /** Takes a stripe's lock; returns whether another node must give it back for that. */
    boolean isTaken(long stripe, int client, boolean write) {
      int holder = holders.get(stripe);
      if (write) {
        holders.put(stripe, client);
      } else if (holder >= 0 && holder != client) {
        holders.remove(stripe);
      }
      return holder >= 0 && holder != client;
    }
  }
}
