package org.hyperslab.plugins.forwarding.wire;

/**
 * The longest frames that are accepted.
 *
 * @param controlBytes of a control message
 * @param payloadBytes of a payload
 */
public record WireLimits(int controlBytes, long payloadBytes) {

  /** What somebody may send who has not said who he is: a hello. */
  public static final WireLimits BEFORE_HELLO = new WireLimits(16 << 10, 0);

  /** 16 MiB of control message and 1 GiB of payload. */
  public static final WireLimits DEFAULT = new WireLimits(16 << 20, 1L << 30);
}
