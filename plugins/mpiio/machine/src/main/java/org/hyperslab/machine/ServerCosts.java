package org.hyperslab.machine;

import org.hyperslab.error.InvalidUseException;

/**
 * The costs of a request to a storage server besides its bytes. All of them occupy the server, so
 * that other requests wait.
 *
 * @param requestNanos the time of every request, in nanoseconds; below 0 if not known
 * @param seekNanos the time added to a request that does not begin where the server's last one
 *     ended
 * @param lockNanos the time added to a request for each stripe that another node has written last,
 *     to take its lock from that node
 * @param blockBytes the unit in which the server stores: a write that covers a block in part first
 *     reads the whole block; 1 if any bytes can be written alone
 */
public record ServerCosts(
    double requestNanos, double seekNanos, double lockNanos, long blockBytes) {

  /** Costs of which nothing is known. */
  public static final ServerCosts UNKNOWN = new ServerCosts(-1, 0, 0, 1);

  /**
   * Checks the numbers.
   *
   * @throws InvalidUseException if a time is negative or not finite, or a block below 1
   */
  public ServerCosts {
    boolean finite = Double.isFinite(requestNanos + seekNanos + lockNanos);
    if (!finite || seekNanos < 0 || lockNanos < 0 || blockBytes < 1) {
      throw new InvalidUseException(
          ("storage: actual=seek of %s ns, lock of %s ns, block of %d bytes,"
                  + " expected=times of at least 0, blocks of at least 1")
              .formatted(seekNanos, lockNanos, blockBytes));
    }
  }

  /** {@return whether the time of a request is known} */
  public boolean isKnown() {
    return requestNanos >= 0;
  }
}
