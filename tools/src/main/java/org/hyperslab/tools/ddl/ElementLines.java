package org.hyperslab.tools.ddl;

/**
 * Puts the texts of elements into lines, each of which begins with the coordinates of its first
 * element and ends where a row ends or the width is used up. The rules are those of the C library's
 * h5tools.c, odd cases included.
 */
final class ElementLines {

  private final DdlPage page;
  private final Appendable out;
  private final int width;
  private final boolean indices;
  private final boolean onePerLine;
  private final int level;
  private final long[] dims;
  private final long lastDim;
  private String opening = "";
  private String suffix = " ";
  private String lineEnd = "";
  private boolean needPrefix = true;
  private long column = 1;
  private long prefixLength;
  private long inRow;
  private boolean bare;
  private boolean continued;
  private long position;
  private long sinceRow;

  /**
   * Lines at a level.
   *
   * @param out where the lines go; null for nowhere
   * @param level indentation in steps of three columns, one more than that of the word DATA
   * @param dims the extent, empty for a scalar
   */
  ElementLines(DdlPage page, Appendable out, DumpOptions options, int level, long[] dims) {
    this.page = page;
    this.out = out;
    this.width = options.width;
    this.indices = options.indices;
    this.onePerLine = options.onePerLine;
    this.level = level;
    this.dims = dims;
    this.lastDim = dims.length == 0 ? 0 : dims[dims.length - 1];
  }

  /** Lets lines begin and end with a quotation mark and elements follow each other at once. */
  void quoted() {
    opening = "\"";
    suffix = "";
    lineEnd = "\"";
    // The first mark and the last belong to the description, wherever the elements go.
    prefix(page.description(), 0);
    opening = indices ? opening : "";
  }

  /** Lets lines begin with nothing but the indentation. */
  void bare() {
    bare = true;
  }

  /** Begins a piece whose first element has a row-major position. */
  void piece(long firstPosition, boolean newLine) {
    position = firstPosition;
    needPrefix |= newLine;
    sinceRow = 0;
  }

  /** Ends a piece: the next begins in the same line unless told otherwise. */
  void pieceDone() {
    continued = true;
  }

  /** Ends the elements. */
  void done() {
    if (!lineEnd.isEmpty() && page.description() != null) {
      DdlPage.append(page.description(), lineEnd);
    }
  }

  /** One element, the n-th of its piece from 0, with its comma if it has one. */
  void element(String text, long n) {
    if (out == null) {
      return;
    }
    long columns = (long) text.length() + suffix.length() + lineEnd.length();
    if (column + columns > width && prefixLength + columns <= width) {
      needPrefix = true;
    }
    boolean rowEnd = false;
    if (inRow > 0) {
      needPrefix |= lastDim > 0 && inRow % lastDim == 0;
      rowEnd = sinceRow == lastDim;
      needPrefix |= rowEnd;
    }
    needPrefix |= column + columns > width || (onePerLine && inRow > 0);
    if (needPrefix) {
      prefix(out, position + n);
    } else if (n > 0 || continued) {
      DdlPage.append(out, suffix);
      column += suffix.length();
    }
    DdlPage.append(out, text);
    column += text.length();
    inRow++;
    sinceRow = rowEnd ? 1 : sinceRow + 1;
  }

  private void prefix(Appendable to, long elementPosition) {
    if (to == null) {
      return;
    }
    if (prefixLength > 0 && !lineEnd.isEmpty()) {
      DdlPage.append(to, lineEnd);
    }
    boolean counted = indices && !bare && lineEnd.isEmpty();
    String start = !opening.isEmpty() ? opening : counted ? coordinates(elementPosition) : "";
    if (indices || bare) {
      page.dataLine(to, "   ".repeat(level - 1) + start);
      column = start.length() + (level > 1 ? 3L * level : 0);
    } else {
      page.dataLine(to, start + "   ".repeat(level));
      column = start.length() + 3L * level;
    }
    prefixLength = column;
    inRow = 0;
    needPrefix = false;
  }

  private String coordinates(long elementPosition) {
    if (dims.length == 0) {
      return "(" + elementPosition + "): ";
    }
    String text = "";
    long rest = elementPosition;
    for (int d = dims.length - 1; d >= 0; d--) {
      text = (d == 0 ? "" : ",") + rest % dims[d] + text;
      rest /= dims[d];
    }
    return "(" + text + "): ";
  }
}
