package org.hyperslab.format.store;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.hyperslab.error.InvalidUseException;

/**
 * Makes requests to another store take as long as on a parallel file system: a latency for each
 * request, and the transfer time of its bytes at a bandwidth. The store consists of servers, each
 * of which serves one request at a time, like a storage target with its locks and seeks; a request
 * is served by the server that is free first. With one server, concurrent requests are not faster.
 * A gather, a scatter or a list is one request. Closing closes the other store.
 *
 * <p>In real time, the caller waits. In virtual time, no one waits, and the costs of all requests
 * are summed.
 *
 * <p>Thread rule: as {@link ByteStore}.
 */
public final class CostStore extends StoreDecorator {

  /**
   * The cost of requests.
   *
   * @param latencyNanos the nanoseconds of each read, write, truncate and force
   * @param bytesPerSecond the number of bytes that one server transfers in a second
   * @param servers the number of requests that are served concurrently
   */
  public record Costs(long latencyNanos, long bytesPerSecond, int servers) {
    /** Requires a latency that is not negative, and a positive bandwidth and number of servers. */
    public Costs {
      if (latencyNanos < 0 || bytesPerSecond < 1 || servers < 1) {
        throw new InvalidUseException(
            "costs of a store: actual="
                + latencyNanos
                + " ns, "
                + bytesPerSecond
                + " bytes/s, "
                + servers
                + " servers, expected=at least 0, 1 and 1");
      }
    }

    /**
     * Creates the costs of a store with one server.
     *
     * @param latencyNanos the nanoseconds of each request
     * @param bytesPerSecond the number of bytes that the server transfers in a second
     */
    public Costs(long latencyNanos, long bytesPerSecond) {
      this(latencyNanos, bytesPerSecond, 1);
    }

    /**
     * Returns the nanoseconds in which the given number of bytes is transferred, without the
     * latency.
     */
    long transferNanos(long bytes) {
      return (long) (bytes * (1e9 / bytesPerSecond));
    }
  }

  /** A source of time, which callers can wait for. */
  interface Clock {
    /** Returns the time in nanoseconds, like System.nanoTime. */
    long nanos();

    /** Waits until a time; returns at once in virtual time. */
    void waitUntil(long nanos);

    /** The system's clock. */
    Clock REAL =
        new Clock() {
          @Override
          public long nanos() {
            return System.nanoTime();
          }

          @Override
          public void waitUntil(long nanos) {
            long left = nanos - nanos();
            while (left > 0) {
              LockSupport.parkNanos(left);
              left = nanos - nanos();
            }
          }
        };
  }

  private final Costs costs;
  private final boolean real;
  private final Clock clock;
  private final Object lock = new Object();
  private long requests;
  private long chargedNanos;

  /**
   * The time at which each server will have served its last request, in terms of System.nanoTime.
   */
  private final long[] busyUntil;

  private CostStore(ByteStore store, Costs costs, boolean real, Clock clock) {
    super(store);
    this.costs = costs;
    this.real = real;
    this.clock = clock;
    this.busyUntil = new long[costs.servers];
    Arrays.fill(busyUntil, clock.nanos());
  }

  /**
   * {@return a store whose callers wait}
   *
   * @param store the store
   * @param costs the cost of requests
   */
  public static CostStore inRealTime(ByteStore store, Costs costs) {
    return inTimeOf(Clock.REAL, store, costs);
  }

  /** Returns a store whose callers wait by a clock. */
  static CostStore inTimeOf(Clock clock, ByteStore store, Costs costs) {
    return new CostStore(store, costs, true, clock);
  }

  /**
   * {@return a store that only sums up costs}
   *
   * @param store the store
   * @param costs the cost of requests
   */
  public static CostStore inVirtualTime(ByteStore store, Costs costs) {
    return new CostStore(store, costs, false, Clock.REAL);
  }

  /** {@return the total cost of all requests so far in nanoseconds} */
  public long chargedNanos() {
    synchronized (lock) {
      return chargedNanos;
    }
  }

  /** {@return the number of requests so far that had a cost} */
  public long requests() {
    synchronized (lock) {
      return requests;
    }
  }

  /**
   * Charges for a request; the time that the other store took is part of it.
   *
   * @param since the time at which the request arrived, in terms of System.nanoTime
   */
  private void charge(long since, long bytes) {
    long transfer = costs.transferNanos(bytes);
    long end;
    synchronized (lock) {
      requests++;
      chargedNanos += costs.latencyNanos + transfer;
      if (!real) {
        return;
      }
      int server = freeFirst();
      end = Math.max(busyUntil[server], since) + costs.latencyNanos + transfer;
      busyUntil[server] = end;
    }
    clock.waitUntil(end);
  }

  private int freeFirst() {
    int first = 0;
    for (int i = 1; i < busyUntil.length; i++) {
      if (busyUntil[i] - busyUntil[first] < 0) {
        first = i;
      }
    }
    return first;
  }

  @Override
  public void read(long offset, MemorySegment target) {
    long since = clock.nanos();
    store.read(offset, target);
    charge(since, target.byteSize());
  }

  @Override
  public void read(long offset, MemorySegment[] targets) {
    long since = clock.nanos();
    store.read(offset, targets);
    charge(since, Ranges.totalBytes(targets));
  }

  @Override
  public void write(long offset, MemorySegment source) {
    long since = clock.nanos();
    store.write(offset, source);
    charge(since, source.byteSize());
  }

  @Override
  public void write(long offset, MemorySegment[] sources) {
    long since = clock.nanos();
    store.write(offset, sources);
    charge(since, Ranges.totalBytes(sources));
  }

  @Override
  public void readList(long[] offsets, MemorySegment[] targets) {
    long since = clock.nanos();
    store.readList(offsets, targets);
    charge(since, Ranges.totalBytes(targets));
  }

  @Override
  public void writeList(long[] offsets, MemorySegment[] sources) {
    long since = clock.nanos();
    store.writeList(offsets, sources);
    charge(since, Ranges.totalBytes(sources));
  }

  @Override
  public void truncate(long sizeBytes) {
    long since = clock.nanos();
    store.truncate(sizeBytes);
    charge(since, 0);
  }

  @Override
  public void force(boolean withMetadata) {
    long since = clock.nanos();
    store.force(withMetadata);
    charge(since, 0);
  }
}
