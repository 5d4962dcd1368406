package org.hyperslab.tools;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.hyperslab.tools.command.Streams;

/**
 * The result of one run of a command in this JVM.
 *
 * @param code the exit code
 * @param out what the command wrote to its output
 * @param err what the command wrote to its errors
 */
public record CommandRun(int code, String out, String err) {

  /** Runs a command line with streams of its own; runs may overlap in time. */
  public static CommandRun of(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code;
    try (PrintStream outStream = new PrintStream(out, false, StandardCharsets.UTF_8);
        PrintStream errStream = new PrintStream(err, false, StandardCharsets.UTF_8)) {
      code = Main.run(new Streams(outStream, errStream), arguments);
    }
    return new CommandRun(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
