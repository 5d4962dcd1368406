package org.hyperslab.tools.dump;

import org.hyperslab.tools.walk.DatasetPieces;

/**
 * Arranges the texts of elements in lines. Each line begins with the coordinates of its first
 * element and ends at the end of a row or at the maximum width. The rules are those of the C
 * library's h5tools.c, including special cases.
 */
final class ElementLines {

  /** Lines are passed on in blocks of some kilobytes. */
  private static final int FLUSH_AT = 1 << 13;

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
  private final StringBuilder pending = new StringBuilder();

  /**
   * Creates lines for the elements of one dataset or attribute.
   *
   * @param out receives the lines; null to drop them
   * @param level the indentation in steps of three columns, one more than that of the word DATA
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

  /** Makes lines begin and end with a quotation mark, without separators between elements. */
  void quoted() {
    opening = "\"";
    suffix = "";
    lineEnd = "\"";
    // The first mark and the last belong to the description, wherever the elements go.
    if (page.description() != null) {
      StringBuilder start = new StringBuilder();
      prefix(start, 0);
      page.dataLine(page.description());
      DdlPage.append(page.description(), start);
    }
    opening = indices ? opening : "";
  }

  /** Lets lines begin with the indentation only. */
  void bare() {
    bare = true;
  }

  /** Begins a piece whose first element has a row-major position. */
  void piece(long firstPosition, boolean newLine) {
    position = firstPosition;
    needPrefix |= newLine;
    sinceRow = 0;
  }

  /** Begins a piece of a dataset. */
  void piece(DatasetPieces.Piece piece) {
    position = piece.first();
    if (piece.begins()) {
      sinceRow = 0;
    }
  }

  /** Ends a piece; by default the next begins in the same line. */
  void pieceDone() {
    continued = true;
    flush();
  }

  private void flush() {
    if (!pending.isEmpty()) {
      DdlPage.append(out, pending);
      pending.setLength(0);
    }
  }

  /** Completes the output after the last element. */
  void done() {
    if (!lineEnd.isEmpty() && page.description() != null) {
      DdlPage.append(page.description(), lineEnd);
    }
  }

  /** Adds one element, the n-th of its piece from 0, with its comma if it has one. */
  void element(CharSequence text, long n) {
    element(text, 0, text.length(), n);
  }

  /** Adds the elements of a piece, in order. */
  void elements(ElementTexts texts) {
    int start = 0;
    for (int i = 0; i < texts.count(); i++) {
      int end = texts.ends()[i];
      element(texts.text(), start, end, i);
      start = end;
    }
  }

  private void element(CharSequence text, int start, int end, long n) {
    if (out == null) {
      return;
    }
    int length = end - start;
    long columns = (long) length + suffix.length() + lineEnd.length();
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
      prefix(position + n);
    } else if (n > 0 || continued) {
      pending.append(suffix);
      column += suffix.length();
    }
    pending.append(text, start, end);
    column += length;
    inRow++;
    sinceRow = rowEnd ? 1 : sinceRow + 1;
  }

  /** Begins a line of elements. */
  private void prefix(long elementPosition) {
    if (pending.length() >= FLUSH_AT) {
      flush();
    }
    page.dataLine(out);
    prefix(pending, elementPosition);
  }

  private void prefix(StringBuilder to, long elementPosition) {
    if (prefixLength > 0) {
      to.append(lineEnd);
    }
    to.append('\n');
    boolean counted = indices && !bare && lineEnd.isEmpty();
    int before = to.length();
    if (indices || bare) {
      to.repeat("   ", level - 1);
      before = to.length();
      to.append(opening);
      if (counted && opening.isEmpty()) {
        coordinates(to, elementPosition);
      }
      column = to.length() - before + (level > 1 ? 3L * level : 0);
    } else {
      to.append(opening);
      column = to.length() - before + 3L * level;
      to.repeat("   ", level);
    }
    prefixLength = column;
    inRow = 0;
    needPrefix = false;
  }

  private void coordinates(StringBuilder to, long elementPosition) {
    to.append('(');
    if (dims.length == 0) {
      to.append(elementPosition);
    } else {
      long below = 1;
      for (int d = 1; d < dims.length; d++) {
        below *= dims[d];
      }
      long rest = elementPosition;
      for (int d = 0; d < dims.length; d++) {
        to.append(d == 0 ? "" : ",").append(rest / below);
        rest %= below;
        below /= d + 1 < dims.length ? dims[d + 1] : 1;
      }
    }
    to.append("): ");
  }
}
