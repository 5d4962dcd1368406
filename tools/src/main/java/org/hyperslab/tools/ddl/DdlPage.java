package org.hyperslab.tools.ddl;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Where text goes: the description and the elements, which are the same place unless options part
 * or suppress them. Every line but the first begins with the end of the line before.
 *
 * <p>Thread rule: confined to one thread.
 */
final class DdlPage {

  /** What is deeper is not moved further: the text would grow with the square of the depth. */
  private static final int MOST_COLUMNS = 3000;

  private static final int STEP = 3;

  /**
   * The places; each may be null: what goes there is dropped.
   *
   * @param ddl for the description
   * @param data for elements of datasets
   * @param attributeData for elements of attributes
   * @param binary for elements as bytes, in place of all printed elements; null if they are printed
   */
  record Places(Appendable ddl, Appendable data, Appendable attributeData, OutputStream binary) {}

  private final Places places;
  private final int width;
  private boolean started;

  /** A page of so many columns. */
  DdlPage(Places places, int width) {
    this.places = places;
    this.width = width;
  }

  /** Where elements of datasets go. */
  Appendable datasets() {
    return places.data;
  }

  /** Where elements of attributes go. */
  Appendable attributes() {
    return places.attributeData;
  }

  /** Where the description goes. */
  Appendable description() {
    return places.ddl;
  }

  /** Where elements go as bytes; null if they are printed. */
  OutputStream binary() {
    return places.binary;
  }

  /** A line of the description; may hold line ends. */
  void line(int indent, String text) {
    if (places.ddl == null) {
      return;
    }
    append(places.ddl, started ? "\n" : "");
    append(places.ddl, margin(indent));
    append(places.ddl, text);
    started = true;
  }

  /**
   * A line of the description before which the C library has already begun the line: where the text
   * is too long for the columns, it leaves that one empty.
   */
  void begunLine(int indent, String text) {
    if (isCrowded(indent, text.length())) {
      line(indent, "");
    }
    line(indent, text);
  }

  /**
   * A line of the description in two parts; the second begins another line if its own first line
   * does not fit.
   *
   * @param dropped how many blanks the second part does not begin with there
   */
  void line(int indent, String first, String second, int dropped) {
    int end = second.indexOf('\n');
    int columns = end < 0 ? second.length() : end;
    boolean fits = column(indent) + first.length() + columns - dropped + 1 <= width;
    line(indent, fits ? first + second : first);
    if (!fits) {
      line(indent, second.substring(dropped));
    }
  }

  private boolean isCrowded(int indent, int columns) {
    return indent > 0 && column(indent) + columns + 1 > width;
  }

  /** The column that the C library believes to be in after an indentation. */
  private static int column(int indent) {
    return indent == 0 ? 0 : indent + STEP;
  }

  private static String margin(int indent) {
    return " ".repeat(Math.min(indent, MOST_COLUMNS));
  }

  /** Whether the description and all elements go to one place, as text. */
  boolean isOnePlace() {
    return places.binary == null
        && places.ddl != null
        && places.ddl == places.data
        && places.ddl == places.attributeData;
  }

  /** A page on which lines are printed that {@link #lines} takes later. */
  DdlPage apart(Appendable to) {
    DdlPage apart = new DdlPage(new Places(to, to, to, null), width);
    apart.started = true;
    return apart;
  }

  /** Lines that were printed on another page. */
  void lines(CharSequence text) {
    append(places.ddl, text);
  }

  /** Ends the description. */
  void end() {
    if (places.ddl != null && started) {
      append(places.ddl, "\n");
    }
  }

  /** Notes that a line of elements goes to a place. */
  void dataLine(Appendable to) {
    started |= to == places.ddl;
  }

  /** Continues a line of elements. */
  static void append(Appendable to, CharSequence text) {
    try {
      to.append(text);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
