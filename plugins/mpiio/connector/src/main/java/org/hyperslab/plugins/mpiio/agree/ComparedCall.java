package org.hyperslab.plugins.mpiio.agree;

import java.nio.charset.StandardCharsets;

/**
 * A collective call as ranks compare it.
 *
 * @param kind the kind of the call; ranks whose kinds differ have diverged
 * @param text everything that must be the same on every rank, including the kind, for display
 */
public record ComparedCall(String kind, String text) {

  private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  /** Returns a hash of the text (FNV-1a). */
  long digest() {
    long hash = OFFSET_BASIS;
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xFF)) * PRIME;
    }
    return hash;
  }
}
