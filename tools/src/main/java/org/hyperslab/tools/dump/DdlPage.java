package org.hyperslab.tools.dump;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Prints the description and the elements, in one place unless options separate or suppress them.
 * Every line but the first begins with the line separator of the line before.
 *
 * <p>Thread rule: confined to one thread.
 */
final class DdlPage {

  /**
   * The largest indentation. Without a limit, the size of the text would grow with the square of
   * the depth.
   */
  private static final int MAX_COLUMNS = 3000;

  private static final int STEP = 3;

  private static final String BLANKS = " ".repeat(60);

  /** The end of a line and the indentation of the next. */
  private static final String INDENTED = "\n" + BLANKS;

  /**
   * The destinations of output. Output to a null destination is dropped.
   *
   * @param ddl the destination of the description
   * @param data the destination of elements of datasets
   * @param attributeData the destination of elements of attributes
   * @param binary the destination of elements as bytes, instead of all printed elements; null if
   *     they are printed
   */
  record Places(Appendable ddl, Appendable data, Appendable attributeData, OutputStream binary) {}

  private final Places places;
  private final int width;
  private boolean started;

  /**
   * Creates a page.
   *
   * @param places the destinations
   * @param width the number of columns
   */
  DdlPage(Places places, int width) {
    this.places = places;
    this.width = width;
  }

  /** {@return the destination of the elements of datasets} */
  Appendable datasets() {
    return places.data;
  }

  /** {@return the destination of the elements of attributes} */
  Appendable attributes() {
    return places.attributeData;
  }

  /** {@return the destination of the description} */
  Appendable description() {
    return places.ddl;
  }

  /** {@return the destination of elements as bytes; null if they are printed as text} */
  OutputStream binary() {
    return places.binary;
  }

  /** Prints a line of the description. The text may contain line separators. */
  void line(int indent, String text) {
    if (places.ddl == null) {
      return;
    }
    if (!started) {
      margin(places.ddl, indent);
    } else if (indent < INDENTED.length()) { // most lines
      append(places.ddl, INDENTED, 1 + indent);
    } else {
      append(places.ddl, "\n");
      margin(places.ddl, indent);
    }
    append(places.ddl, text);
    started = true;
  }

  /**
   * Prints a line of the description that the C library begins before it knows the text. If the
   * text is too long for the columns, the line stays empty and the text goes to the next one.
   */
  void begunLine(int indent, String text) {
    if (isCrowded(indent, text.length())) {
      line(indent, "");
    }
    line(indent, text);
  }

  /**
   * Prints a line of the description in two parts. The second part begins another line if its own
   * first line does not fit.
   *
   * @param dropped the number of blanks that the second part loses there
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

  /** Returns the column that the C library assumes after an indentation. */
  private static int column(int indent) {
    return indent == 0 ? 0 : indent + STEP;
  }

  private static void margin(Appendable to, int indent) {
    try {
      for (int left = Math.min(indent, MAX_COLUMNS); left > 0; left -= BLANKS.length()) {
        to.append(BLANKS, 0, Math.min(left, BLANKS.length()));
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** {@return whether the description and all elements go to one place, as text} */
  boolean isOnePlace() {
    return places.binary == null
        && places.ddl != null
        && places.ddl == places.data
        && places.ddl == places.attributeData;
  }

  /**
   * Creates a page for lines that are printed later with {@link #lines}.
   *
   * @param to receives the lines
   * @return the page
   */
  DdlPage apart(Appendable to) {
    DdlPage apart = new DdlPage(new Places(to, to, to, null), width);
    apart.started = true;
    return apart;
  }

  /**
   * Prints lines that were printed to a separate page.
   *
   * @param text the lines
   */
  void lines(CharSequence text) {
    append(places.ddl, text);
  }

  /** Ends the description. */
  void end() {
    if (places.ddl != null && started) {
      append(places.ddl, "\n");
    }
  }

  /** Records that a line of elements goes to a destination. */
  void dataLine(Appendable to) {
    started |= to == places.ddl;
  }

  private static void append(Appendable to, String text, int length) {
    try {
      to.append(text, 0, length);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Appends to a line of elements. */
  static void append(Appendable to, CharSequence text) {
    try {
      to.append(text);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
