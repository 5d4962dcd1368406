package org.hyperslab.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the command that starts another JVM with this one's class path, for tests that kill a
 * process.
 */
public final class ChildJvm {

  private ChildJvm() {}

  /**
   * Returns a command for {@link ProcessBuilder}. Such a process lives for seconds, so it starts
   * fast and takes one core: no optimising compiler, no parallel collector.
   *
   * @param megabytes the greatest heap size
   * @param main the class whose main method runs
   * @param arguments the arguments of the main method
   * @return the words of the command
   */
  public static List<String> command(int megabytes, Class<?> main, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + megabytes + "m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                // Verification lengthens a short process, and what the compiler has just made is
                // sound.
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }
}
