package org.hyperslab.tools.command;

import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import picocli.CommandLine;

/**
 * The streams a command reads and writes. A command never uses the process's own streams directly,
 * so that several commands can run in one JVM at the same time.
 *
 * @param in has the input of commands that read standard input
 * @param out receives results
 * @param err receives messages about errors
 */
public record Streams(InputStream in, PrintStream out, PrintStream err) {

  /**
   * Creates streams without input.
   *
   * @param out receives results
   * @param err receives messages about errors
   */
  public Streams(PrintStream out, PrintStream err) {
    this(InputStream.nullInputStream(), out, err);
  }

  /** Bytes of names that are not UTF-8 are spelled. */
  public Streams {
    out = SpellingStream.of(out);
    err = SpellingStream.of(err);
  }

  /** {@return the standard streams of the process} */
  public static Streams ofProcess() {
    return new Streams(System.in, StandardOutput.ofProcess(), System.err);
  }

  /**
   * Sends the text that picocli writes itself, such as help, to these streams.
   *
   * @param line the command line, with all its subcommands
   */
  public void installIn(CommandLine line) {
    line.setOut(new PrintWriter(out, true, out.charset()));
    line.setErr(new PrintWriter(err, true, err.charset()));
  }
}
