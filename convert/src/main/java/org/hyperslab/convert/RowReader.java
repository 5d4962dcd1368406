package org.hyperslab.convert;

import java.io.ByteArrayOutputStream;
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

  private final InputBytes file;
  private final byte separator;
  private final TableBytes bytes;
  private final ByteArrayOutputStream cell = new ByteArrayOutputStream();

  RowReader(InputBytes file, char separator, long position) {
    this.file = file;
    this.separator = (byte) separator;
    this.bytes = new TableBytes(file, position, BUFFER_BYTES);
  }

  /** Returns the position of the next byte. */
  long position() {
    return bytes.position();
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
      int delimiter = atEnd() ? '\n' : bytes.peek();
      if (!atEnd()) {
        bytes.pass();
      }
      if (delimiter == '\r' && !atEnd() && bytes.peek() == '\n') {
        bytes.pass();
      }
      if (delimiter != separator) {
        return cells;
      }
    }
  }

  private boolean atEnd() {
    return bytes.peek() == TableBytes.END;
  }

  private String cell() {
    cell.reset();
    boolean quoted = !atEnd() && bytes.peek() == '"';
    if (quoted) {
      bytes.pass();
      quoted();
      if (!atEnd() && !isDelimiter(bytes.peek())) {
        throw corrupt("actual=text after a closing quote, expected=the end of the cell");
      }
    } else {
      while (!atEnd() && !isDelimiter(bytes.peek())) {
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
      if (bytes.peek() == '"') {
        bytes.pass();
        if (atEnd() || bytes.peek() != '"') {
          return;
        }
      }
      add();
    }
  }

  private void add() {
    byte b = (byte) bytes.peek();
    if (b == 0 || cell.size() >= MAX_CELL_BYTES) {
      throw corrupt("actual=a NUL or a cell beyond " + MAX_CELL_BYTES + " bytes, expected=text");
    }
    cell.write(b);
    bytes.pass();
  }

  private boolean isDelimiter(int b) {
    return b == separator || b == '\n' || b == '\r';
  }

  private CorruptFileException corrupt(String problem) {
    return new CorruptFileException(file.name(), "table", position(), problem);
  }
}
