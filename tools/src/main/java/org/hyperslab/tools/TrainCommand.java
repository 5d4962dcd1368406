package org.hyperslab.tools;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.function.ToIntBiFunction;
import org.hyperslab.plugins.libhdf5.BridgeLibrary;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs the commands of a list one after another in this JVM, so that one ahead-of-time cache can be
 * recorded of them. Only the build calls it.
 */
@Command(
    name = "train",
    hidden = true,
    description = "Runs the commands that a file lists, a line each, and discards their output.")
final class TrainCommand implements Callable<Integer> {

  /** Enough for the optimising compiler to reach all that is called for each: 10,000 are not. */
  private static final int DATASETS = 50_000;

  private final ToIntBiFunction<Streams, String[]> commands;

  @Parameters(paramLabel = "FILE", description = "the list of commands")
  private Path file;

  @Option(
      names = "--bridge",
      description = "does what programs of libhdf5 do instead, in a file of this name")
  private boolean bridge;

  /**
   * Creates the command.
   *
   * @param commands runs a command, and returns its exit code
   */
  TrainCommand(ToIntBiFunction<Streams, String[]> commands) {
    this.commands = commands;
  }

  @Override
  public Integer call() throws IOException {
    if (bridge) {
      BridgeLibrary.rehearse(file, DATASETS);
      return 0;
    }
    return Files.readAllLines(file).stream()
        .filter(Predicate.not(String::isBlank))
        .mapToInt(line -> run(line.strip().split("\\s+")))
        .max()
        .orElse(0);
  }

  private int run(String... words) {
    try (PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
      return commands.applyAsInt(new Streams(nowhere, nowhere), words);
    }
  }
}
