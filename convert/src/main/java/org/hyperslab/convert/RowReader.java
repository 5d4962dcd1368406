package org.hyperslab.convert;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.CorruptFileException;

/**
 * Reads the rows of a table, starting at a position.
 *
 * <p>Thread rule: confined to one thread.
 */
final class RowReader {

  static final int MAX_COLUMNS = 4096;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int MAX_CELL_BYTES = 16 << 20;
  private static final int END = -1;

  private final InputBytes file;
  private final byte separator;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private long bufferStart;
  private int length;
  private int next;
  private final ByteArrayOutputStream cell = new ByteArrayOutputStream();

  RowReader(InputBytes file, char separator, long position) {
    this.file = file;
    this.separator = (byte) separator;
    this.bufferStart = position;
  }

  /** Returns the position of the next byte. */
  long position() {
    return bufferStart + next;
  }

  private int peek() {
    if (next == length) {
      bufferStart += length;
      next = 0;
      length = (int) Math.min(BUFFER_BYTES, file.size() - bufferStart);
      if (length <= 0) {
        length = 0;
        return END;
      }
      file.read(bufferStart, MemorySegment.ofArray(buffer).asSlice(0, length));
    }
    return buffer[next] & 0xFF;
  }

  /**
   * Returns the next row of a table of {@code columns} columns, or null at the end. Empty lines are
   * skipped unless the table has one column.
   */
  List<String> row(int columns) {
    List<String> row = row();
    while (row != null && columns > 1 && row.size() == 1 && row.getFirst().isEmpty()) {
      row = row();
    }
    return row;
  }

  /**
   * Returns the cells of the next row, or null at the end. An empty line is a row with one empty
   * cell.
   */
  List<String> row() {
    if (atEnd()) {
      return null;
    }
    List<String> cells = new ArrayList<>();
    while (true) {
      cells.add(cell());
      if (cells.size() > MAX_COLUMNS) {
        throw corrupt("actual=more columns, expected<=" + MAX_COLUMNS);
      }
      int delimiter = atEnd() ? '\n' : peek();
      if (!atEnd()) {
        next++;
      }
      if (delimiter == '\r' && !atEnd() && peek() == '\n') {
        next++;
      }
      if (delimiter != separator) {
        return cells;
      }
    }
  }

  private boolean atEnd() {
    return peek() == END;
  }

  private String cell() {
    cell.reset();
    boolean quoted = !atEnd() && peek() == '"';
    if (quoted) {
      next++;
      quoted();
      if (!atEnd() && !isDelimiter(peek())) {
        throw corrupt("actual=text after a closing quote, expected=the end of the cell");
      }
    } else {
      while (!atEnd() && !isDelimiter(peek())) {
        add();
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(cell.toByteArray()))
          .toString();
    } catch (CharacterCodingException wrong) {
      throw new CorruptFileException(
          file.name(), "table", position(), "actual=" + wrong + ", expected=UTF-8", wrong);
    }
  }

  private void quoted() {
    while (true) {
      if (atEnd()) {
        throw corrupt("actual=the end inside quotes, expected=a closing quote");
      }
      if (peek() == '"') {
        next++;
        if (atEnd() || peek() != '"') {
          return;
        }
      }
      add();
    }
  }

  private void add() {
    byte b = (byte) peek();
    if (b == 0 || cell.size() >= MAX_CELL_BYTES) {
      throw corrupt("actual=a NUL or a cell beyond " + MAX_CELL_BYTES + " bytes, expected=text");
    }
    cell.write(b);
    next++;
  }

  private boolean isDelimiter(int b) {
    return b == separator || b == '\n' || b == '\r';
  }

  private CorruptFileException corrupt(String problem) {
    return new CorruptFileException(file.name(), "table", position(), problem);
  }
}
