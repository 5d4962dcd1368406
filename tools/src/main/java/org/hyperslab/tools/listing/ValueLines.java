package org.hyperslab.tools.listing;

/**
 * Arranges the texts of elements in lines of a given width. At {@link ValueText#BREAK}, an
 * element's text may continue in the next line. The rules are those of the C library's h5tools.c.
 */
final class ValueLines {

  private final LineBuffer page;
  private final ListingOptions options;
  private final String prefix;
  private final String separator;
  private final String lineEnd;
  private final int width;
  private boolean needPrefix = true;
  private boolean multiline;
  private boolean started;
  private final int extraColumns;
  private int column;
  private long inLine;

  /**
   * Creates lines for the elements of one dataset or attribute.
   *
   * @param indent the number of spaces before each line
   * @param extraColumns the number of columns added to the length of a line
   * @param quoted whether elements are characters, each line within quotation marks
   */
  ValueLines(
      LineBuffer page, ListingOptions options, int indent, int extraColumns, boolean quoted) {
    this.page = page;
    this.options = options;
    this.extraColumns = extraColumns;
    this.prefix = " ".repeat(indent) + (quoted ? "\"" : "");
    this.separator = quoted ? "" : " ";
    this.lineEnd = quoted ? "\"" : "";
    this.width = options.width == 0 ? 65_535 : options.width;
  }

  /** Adds one element, including its comma. */
  void element(String text) {
    long columns = text.length() + (long) separator.length() + lineEnd.length();
    for (int at = text.indexOf(ValueText.BREAK); at >= 0; ) {
      columns--;
      at = text.indexOf(ValueText.BREAK, at + 1);
    }
    int fresh = prefix.length() + extraColumns;
    if (column + columns > width && (multiline || fresh + columns <= width)) {
      needPrefix = true;
    }
    boolean single = options.simple || options.width == 0;
    if (single && inLine > 0) {
      needPrefix = true;
    }
    int sections = 0;
    boolean broken = false;
    for (int start = 0; start <= text.length() && (start < text.length() || start == 0); ) {
      int end = text.indexOf(ValueText.BREAK, start);
      end = end < 0 ? text.length() : end;
      if (column + (end - start) + separator.length() + lineEnd.length() > width) {
        needPrefix = true;
      }
      if (needPrefix) {
        broken |= sections > 0;
        newLine();
      } else if (started && sections == 0) {
        page.add(separator);
        column += separator.length();
      }
      page.text.append(text, start, end);
      column += end - start;
      sections++;
      start = end + 1;
    }
    multiline = broken;
    inLine++;
    started = true;
  }

  private void newLine() {
    if (column > 0) {
      page.add(lineEnd).endLine();
    }
    page.add(prefix);
    column = prefix.length() + extraColumns;
    inLine = 0;
    needPrefix = false;
  }

  /** Ends the last line. */
  void done() {
    page.add(started ? lineEnd : "").endLine();
  }
}
