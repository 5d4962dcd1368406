package org.hyperslab.tools;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * What a command line ended with, and what it said on one of the standard streams. Tests that use
 * it hold that stream's resource lock.
 *
 * @param code the exit code
 * @param text what was said
 */
record Said(int code, String text) {

  /** Runs a command line and hears its standard output. */
  static Said onOutput(String... arguments) {
    return heard(System.out, System::setOut, arguments);
  }

  /** Runs a command line and hears its standard error. */
  static Said onErrors(String... arguments) {
    return heard(System.err, System::setErr, arguments);
  }

  private static Said heard(PrintStream before, Consumer<PrintStream> set, String... arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    set.accept(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      return new Said(Main.run(arguments), bytes.toString(StandardCharsets.UTF_8));
    } finally {
      set.accept(before);
    }
  }
}
