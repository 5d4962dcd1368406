package org.hyperslab.tools.listing;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.hyperslab.format.io.NameBytes;

/** Collects text and writes it in large pieces. Confined to one thread. */
final class LineBuffer {

  private static final int PIECE_CHARACTERS = 1 << 14;

  private final PrintStream out;
  final StringBuilder text = new StringBuilder();

  LineBuffer(PrintStream out) {
    this.out = out;
  }

  /** Appends a value. */
  LineBuffer add(String more) {
    text.append(more);
    return this;
  }

  /** Ends a line. */
  void endLine() {
    text.append('\n');
    if (text.length() > PIECE_CHARACTERS) {
      flush();
    }
  }

  /** Appends a line with a label in its own column. */
  void row(String label, String value) {
    text.append("    ").append(label);
    for (int column = label.length(); column < 10; column++) {
      text.append(' ');
    }
    text.append(' ').append(value);
    endLine();
  }

  /** Writes the collected text. */
  void flush() {
    byte[] bytes = NameBytes.spelling(text.toString()).getBytes(StandardCharsets.UTF_8);
    out.write(bytes, 0, bytes.length);
    out.flush();
    text.setLength(0);
  }
}
