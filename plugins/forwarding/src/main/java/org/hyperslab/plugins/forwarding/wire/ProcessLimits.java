package org.hyperslab.plugins.forwarding.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the limits that the system sets for this process. */
public final class ProcessLimits {

  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final String OPEN_FILES = "Max open files";
  private static final int USUAL_OPEN_FILES = 1024;

  private ProcessLimits() {}

  /** {@return the number of files and sockets that this process may have open; 1024 if unknown} */
  public static int openFiles() {
    try {
      for (String line : Files.readAllLines(LIMITS)) {
        if (line.startsWith(OPEN_FILES)) {
          String soft = line.substring(OPEN_FILES.length()).trim().split(" ", 2)[0];
          return (int) Math.min(1 << 20, Long.parseLong(soft));
        }
      }
      return USUAL_OPEN_FILES;
    } catch (IOException | NumberFormatException unknown) {
      return USUAL_OPEN_FILES;
    }
  }
}
