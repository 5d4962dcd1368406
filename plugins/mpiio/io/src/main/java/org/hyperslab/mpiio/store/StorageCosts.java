package org.hyperslab.mpiio.store;

/**
 * A rough model of storage costs, sufficient to choose between many small requests and few large
 * ones.
 *
 * @param requestNanos the cost of a request apart from its bytes, in nanoseconds
 * @param nanosPerKibibyte the cost of 1024 bytes of a request, in nanoseconds
 * @param lists whether a request may list many extents of the file
 */
public record StorageCosts(long requestNanos, long nanosPerKibibyte, boolean lists) {

  /**
   * The assumed costs of a file in this machine's page cache, where a request is a system call and
   * its bytes are copied.
   */
  public static final StorageCosts LOCAL = new StorageCosts(1_000, 240, false);

  /**
   * The assumed costs of a file on servers across a network, where a request waits for a round
   * trip.
   */
  public static final StorageCosts REMOTE = new StorageCosts(500_000, 1_000, false);

  /**
   * {@return the cost of a number of requests that move a number of bytes in total, in nanoseconds}
   *
   * @param requests how many requests
   * @param bytes how many bytes
   */
  public double nanos(double requests, double bytes) {
    return requests * requestNanos + bytes / 1024 * nanosPerKibibyte;
  }

  /** {@return the same costs for storage whose requests may name many places} */
  public StorageCosts withLists() {
    return new StorageCosts(requestNanos, nanosPerKibibyte, true);
  }
}
