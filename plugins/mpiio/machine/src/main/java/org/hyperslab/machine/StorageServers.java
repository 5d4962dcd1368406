package org.hyperslab.machine;

import java.util.BitSet;
import org.hyperslab.error.InvalidUseException;

/**
 * The servers over which files are striped in turn, starting with the first.
 *
 * @param count the number of servers of a file; 0 if not known
 * @param stripeBytes the length of a stripe; 0 if not known
 * @param bytesPerSecond the bandwidth of one server; 0 if not known
 */
public record StorageServers(int count, long stripeBytes, double bytesPerSecond) {

  /** Servers of which nothing is known. */
  public static final StorageServers UNKNOWN = new StorageServers(0, 0, 0);

  /**
   * Checks the numbers.
   *
   * @throws InvalidUseException if one is negative, or servers are known without a stripe
   */
  public StorageServers {
    if (count < 0 || stripeBytes < 0 || !(bytesPerSecond >= 0) || (count > 0 && stripeBytes == 0)) {
      throw new InvalidUseException(
          "storage: actual=%d servers, stripes of %d bytes, %s bytes/s, expected=none negative"
              .formatted(count, stripeBytes, bytesPerSecond));
    }
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
