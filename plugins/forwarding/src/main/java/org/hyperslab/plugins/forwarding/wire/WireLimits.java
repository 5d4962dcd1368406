package org.hyperslab.plugins.forwarding.wire;

/**
 * The longest frames that are accepted.
 *
 * @param controlBytes of a control message
 * @param payloadBytes of a payload
 */
public record WireLimits(int controlBytes, long payloadBytes) {

  /** 16 MiB of control message and 1 GiB of payload. */
  public static final WireLimits DEFAULT = new WireLimits(16 << 20, 1L << 30);
}
