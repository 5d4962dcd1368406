package org.hyperslab.convert;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  private static final Pattern BEGINNING =
      Pattern.compile("(?:\u00EF\u00BB\u00BF)?(?:\"?sep=([,;\t|:])\"?(?:\r\n?|\n))?");

  /** Reads what is before the first row of a table. */
  static TablePreamble of(InputBytes file) {
    byte[] bytes = file.read(0, (int) Math.min(BEGINNING_BYTES, file.size()));
    Matcher matcher = BEGINNING.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
    boolean found = matcher.lookingAt();
    Optional<Character> named =
        Optional.ofNullable(found ? matcher.group(1) : null).map(word -> word.charAt(0));
    Lines lines = new Lines(file, found ? matcher.end() : 0);
    OptionalLong comment = OptionalLong.empty();
    while (true) {
      long start = lines.position();
      int first = lines.skipBlanks();
      if (first == COMMENT) {
        comment = OptionalLong.of(lines.position() + 1);
      } else if (first == '\r' || first == '\n') {
        comment = OptionalLong.empty();
      } else {
        long firstRow = first == Lines.END ? lines.position() : start;
        return new TablePreamble(firstRow, named, comment);
      }
      lines.skipLine();
    }
  }

  /** Reads bytes, one after the other. */
  private static final class Lines {

    private static final int BUFFER_BYTES = 1 << 13;
    private static final int END = -1;

    private final InputBytes file;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private long bufferStart;
    private int length;
    private int next;

    Lines(InputBytes file, long position) {
      this.file = file;
      this.bufferStart = position;
    }

    long position() {
      return bufferStart + next;
    }

    private int peek() {
      if (next == length) {
        bufferStart += length;
        next = 0;
        length = (int) Math.min(BUFFER_BYTES, file.size() - bufferStart);
        if (length == 0) {
          return END;
        }
        file.read(bufferStart, MemorySegment.ofArray(buffer).asSlice(0, length));
      }
      return buffer[next] & 0xFF;
    }

    /** Returns the next byte that is no space. */
    int skipBlanks() {
      while (peek() == ' ') {
        next++;
      }
      return peek();
    }

    void skipLine() {
      while (peek() != '\n' && peek() != '\r' && peek() != END) {
        next++;
      }
      boolean isReturn = peek() == '\r';
      if (peek() != END) {
        next++;
      }
      if (isReturn && peek() == '\n') {
        next++;
      }
    }
  }
}
