package org.hyperslab.mpiio.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * A process whose memory {@link CrossMemoryAttachTest} reaches: byte i is i mod 251. Prints its
 * address; after a line on standard input, what the memory holds by then, as the sum over i of (i
 * mod 1009 + 1) times byte i; ends at the end of its input.
 */
final class Neighbour {

  static final int BYTES = 1 << 20;

  private Neighbour() {}

  /** Runs the process. */
  public static void main(String[] arguments) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(BYTES, 4096);
      for (int i = 0; i < BYTES; i++) {
        memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i % 251));
      }
      System.out.println(memory.address());
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
      while (in.readLine() != null) {
        System.out.println(sum(memory.toArray(ValueLayout.JAVA_BYTE)));
      }
    }
  }

  static long sum(byte[] bytes) {
    long sum = 0;
    for (int i = 0; i < bytes.length; i++) {
      sum += (i % 1009 + 1L) * (bytes[i] & 0xff);
    }
    return sum;
  }
}
