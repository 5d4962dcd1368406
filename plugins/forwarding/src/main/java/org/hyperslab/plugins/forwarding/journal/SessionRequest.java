package org.hyperslab.plugins.forwarding.journal;

import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.vol.Connector;

/**
 * The instructions for carrying out an operation of a session.
 *
 * @param connector the connector that carries it out
 * @param session the number of the session, from which its handles were derived
 * @param message the operation as it arrived
 * @param durable whether its stage completes only when the operation is on storage
 */
public record SessionRequest(
    Connector connector, long session, EncodedMessage message, boolean durable) {

  /** The number of low bits of a server's handle that hold the client's handle. */
  private static final int HANDLE_BITS = 41;

  /**
   * Converts a client's handle to the server's.
   *
   * @param session the number of the session
   * @param clients the client's handle. Numbers that no client uses are converted to a handle that
   *     is never open
   * @return the server's handle
   */
  public static long handle(long session, long clients) {
    long never = (1L << HANDLE_BITS) - 1;
    return (session << HANDLE_BITS) | (clients < 0 || clients > never ? never : clients);
  }
}
