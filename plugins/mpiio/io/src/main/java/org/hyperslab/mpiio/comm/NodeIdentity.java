package org.hyperslab.mpiio.comm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Identifies the node that this process runs on: one running kernel, and on it one set of names by
 * which processes share memory. Ranks compare the numbers where {@code MPI_Comm_split_type} would
 * wait for ranks that never come.
 */
final class NodeIdentity {

  private static final long NUMBER =
      UUID.nameUUIDFromBytes(
              (read(Path.of("/proc/sys/kernel/random/boot_id"))
                      + read(Path.of("/proc/sys/kernel/hostname"))
                      + link(Path.of("/proc/self/ns/ipc"))
                      + link(Path.of("/proc/self/ns/pid")))
                  .getBytes(StandardCharsets.UTF_8))
          .getLeastSignificantBits();

  private NodeIdentity() {}

  /** Returns a number that other nodes have with a probability of 2<sup>-62</sup>. */
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
}
