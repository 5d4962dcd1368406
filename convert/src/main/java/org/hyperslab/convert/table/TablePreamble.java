package org.hyperslab.convert.table;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.convert.bytes.InputBytes;

/**
 * What is before the first row of a table: a byte order mark, a line that names the separator,
 * blank lines, and comments, which begin with {@code #} as NumPy writes them.
 *
 * <p>Thread rule: immutable.
 *
 * @param firstRow the position of the first row; the size of the file if there is none
 * @param separator the separator, if a line such as {@code sep=;} names it, as Excel understands it
 * @param comment the position of the last comment, after its {@code #}; empty if there is none, or
 *     if a blank line follows it
 */
record TablePreamble(long firstRow, Optional<Character> separator, OptionalLong comment) {

  /** What a comment begins with. */
  static final char COMMENT = '#';

  private static final int BEGINNING_BYTES = 16;
  private static final int BUFFER_BYTES = 1 << 13;

  private static final Pattern BEGINNING =
      Pattern.compile("(?:\u00EF\u00BB\u00BF)?(?:\"?sep=([,;\t|:])\"?(?:\r\n?|\n))?");

  /** Reads what is before the first row of a table. */
  static TablePreamble of(InputBytes file) {
    byte[] bytes = file.read(0, (int) Math.min(BEGINNING_BYTES, file.size()));
    Matcher matcher = BEGINNING.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
    boolean found = matcher.lookingAt();
    Optional<Character> named =
        Optional.ofNullable(found ? matcher.group(1) : null).map(word -> word.charAt(0));
    TableBytes rest = new TableBytes(file, found ? matcher.end() : 0, BUFFER_BYTES);
    OptionalLong comment = OptionalLong.empty();
    while (true) {
      long start = rest.position();
      int first = skipBlanks(rest);
      if (first == COMMENT) {
        comment = OptionalLong.of(rest.position() + 1);
      } else if (first == '\r' || first == '\n') {
        comment = OptionalLong.empty();
      } else {
        long firstRow = first == TableBytes.END ? rest.position() : start;
        return new TablePreamble(firstRow, named, comment);
      }
      skipLine(rest);
    }
  }

  /** Returns the position of the first row or, if there is none, that of the last comment. */
  long firstCells(long sizeBytes) {
    return firstRow == sizeBytes ? comment.orElse(firstRow) : firstRow;
  }

  /** Returns the next byte that is no space. */
  private static int skipBlanks(TableBytes bytes) {
    while (bytes.peek() == ' ') {
      bytes.pass();
    }
    return bytes.peek();
  }

  private static void skipLine(TableBytes bytes) {
    while (bytes.peek() != '\n' && bytes.peek() != '\r' && bytes.peek() != TableBytes.END) {
      bytes.pass();
    }
    boolean isReturn = bytes.peek() == '\r';
    if (bytes.peek() != TableBytes.END) {
      bytes.pass();
    }
    if (isReturn && bytes.peek() == '\n') {
      bytes.pass();
    }
  }
}
