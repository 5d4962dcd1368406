package org.hyperslab.plugins.mpiio;

import java.nio.charset.StandardCharsets;

/**
 * A collective call as ranks compare it.
 *
 * @param kind which call it is; ranks whose kinds differ have lost step
 * @param text all that must be the same on every rank, kind included, for people
 */
record ComparedCall(String kind, String text) {

  private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  /** Returns a number that hardly ever is the same for two texts (FNV-1a). */
  long digest() {
    long hash = OFFSET_BASIS;
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xFF)) * PRIME;
    }
    return hash;
  }
}
