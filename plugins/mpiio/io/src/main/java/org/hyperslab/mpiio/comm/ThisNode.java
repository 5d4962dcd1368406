package org.hyperslab.mpiio.comm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Identifies the node that this process runs on: one running kernel, and on it one set of names by
 * which processes share memory. Ranks compare the numbers where {@code MPI_Comm_split_type} would
 * wait for ranks that never come.
 */
final class ThisNode {

  private static final long NUMBER =
      hash(
          read(Path.of("/proc/sys/kernel/random/boot_id"))
              + read(Path.of("/proc/sys/kernel/hostname"))
              + link(Path.of("/proc/self/ns/ipc"))
              + link(Path.of("/proc/self/ns/pid")));

  private ThisNode() {}

  /** Returns a number that other nodes have with a probability of 2<sup>-64</sup>. */
  static long number() {
    return NUMBER;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException elsewhere) {
      String name = System.getenv("HOSTNAME");
      return name == null ? "localhost" : name;
    }
  }

  private static String link(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException elsewhere) {
      return "";
    }
  }

  /** Hashes by FNV-1a, which is the same in every process. */
  private static long hash(String text) {
    long hash = 0xcbf2_9ce4_8422_2325L;
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * 0x100_0000_01b3L;
    }
    return hash;
  }
}
