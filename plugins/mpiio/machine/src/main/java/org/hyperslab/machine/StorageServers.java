package org.hyperslab.machine;

import java.util.BitSet;
import org.hyperslab.error.InvalidUseException;

/**
 * The servers over which files are striped in turn, starting with the first.
 *
 * @param count the number of servers of a file; 0 if not known
 * @param stripeBytes the length of a stripe; 0 if not known
 * @param bytesPerSecond the bandwidth of one server; 0 if not known
 * @param costs the costs of requests
 * @param clientBytesPerSecond the bandwidth with which a node reaches the servers; 0 if not known
 */
public record StorageServers(
    int count,
    long stripeBytes,
    double bytesPerSecond,
    ServerCosts costs,
    double clientBytesPerSecond) {

  /** Servers of which nothing is known. */
  public static final StorageServers UNKNOWN = new StorageServers(0, 0, 0);

  /**
   * Creates servers whose requests have unknown costs.
   *
   * @param count the number of servers of a file; 0 if not known
   * @param stripeBytes the length of a stripe; 0 if not known
   * @param bytesPerSecond the bandwidth of one server; 0 if not known
   */
  public StorageServers(int count, long stripeBytes, double bytesPerSecond) {
    this(count, stripeBytes, bytesPerSecond, ServerCosts.UNKNOWN, 0);
  }

  /**
   * Checks the numbers.
   *
   * @throws InvalidUseException if one is negative, or servers are known without a stripe
   */
  public StorageServers {
    boolean sound = bytesPerSecond >= 0 && clientBytesPerSecond >= 0;
    if (count < 0 || stripeBytes < 0 || !sound || (count > 0 && stripeBytes == 0)) {
      throw new InvalidUseException(
          ("storage: actual=%d servers, stripes of %d bytes, %s bytes/s, %s bytes/s a client,"
                  + " expected=none negative")
              .formatted(count, stripeBytes, bytesPerSecond, clientBytesPerSecond));
    }
  }

  /**
   * {@return the same servers for a file with other striping}
   *
   * @param servers the number of servers of the file, at most as many as there are
   * @param bytes the length of a stripe
   * @throws InvalidUseException if there are fewer servers
   */
  public StorageServers striped(int servers, long bytes) {
    if (servers > count) {
      throw new InvalidUseException(
          "striping_factor: actual="
              + servers
              + ", expected=at most "
              + count
              + ", as many servers as the machine has for a file");
    }
    return new StorageServers(servers, bytes, bytesPerSecond, costs, clientBytesPerSecond);
  }

  /**
   * Returns the server that holds a byte.
   *
   * @param offset the offset of the byte in the file
   * @return the server, from 0
   * @throws InvalidUseException if the servers are not known
   */
  public int serverOf(long offset) {
    if (count == 0) {
      throw new InvalidUseException(
          "storage: actual=unknown servers, expected=a machine description with storage");
    }
    return (int) (offset / stripeBytes % count);
  }

  /**
   * Returns the servers that hold a range of a file.
   *
   * @param first the first byte
   * @param endExclusive the byte after the last
   * @return the servers, ascending; none if the range is empty or servers are not known
   */
  public int[] serversOf(long first, long endExclusive) {
    if (count == 0 || endExclusive <= first) {
      return new int[0];
    }
    long stripes = (endExclusive - 1) / stripeBytes - first / stripeBytes + 1;
    BitSet found = new BitSet(count);
    for (long i = 0; i < Math.min(stripes, count); i++) {
      found.set((int) ((first / stripeBytes + i) % count));
    }
    return found.stream().toArray();
  }
}
