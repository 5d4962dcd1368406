package org.hyperslab.tools.ddl;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Where text goes: the description and the elements, which are the same place unless options part
 * or suppress them. Every line but the first begins with the end of the line before.
 */
final class DdlPage {

  /** What is deeper is not moved further: the text would grow with the square of the depth. */
  private static final int MOST_COLUMNS = 3000;

  private final Appendable ddl;
  private final Appendable data;
  private boolean started;

  /** Either place may be null: what goes there is dropped. */
  DdlPage(Appendable ddl, Appendable data) {
    this.ddl = ddl;
    this.data = data;
  }

  /** A line of the description; may hold line ends. */
  void line(int indent, String text) {
    if (ddl == null) {
      return;
    }
    append(ddl, started ? "\n" : "");
    append(ddl, " ".repeat(Math.min(indent, MOST_COLUMNS)));
    append(ddl, text);
    started = true;
  }

  /** Ends the description. */
  void end() {
    if (ddl != null && started) {
      append(ddl, "\n");
    }
  }

  /** Whether elements go anywhere. */
  boolean takesData() {
    return data != null;
  }

  /** Begins a line of elements. */
  void dataLine(String start) {
    append(data, "\n");
    append(data, start);
    started = true;
  }

  /** Continues a line of elements. */
  void data(String text) {
    append(data, text);
  }

  private static void append(Appendable to, String text) {
    try {
      to.append(text);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
