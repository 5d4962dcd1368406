package org.hyperslab.plugins.forwarding.wire;

/**
 * The longest frames that a connection accepts.
 *
 * @param controlBytes the longest control message in bytes
 * @param payloadBytes the longest payload in bytes
 */
public record WireLimits(int controlBytes, long payloadBytes) {

  /** The limits before the hello: 16 KiB of control message, no payload. */
  public static final WireLimits BEFORE_HELLO = new WireLimits(16 << 10, 0);

  /** The limits of a client: 16 MiB of control message and 1 GiB of payload. */
  public static final WireLimits DEFAULT = new WireLimits(16 << 20, 1L << 30);
}
