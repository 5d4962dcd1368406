package org.hyperslab.convert.table;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.convert.bytes.InputBytes;
import org.hyperslab.convert.table.cell.RowCells;
import org.hyperslab.error.CorruptFileException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of a table, starting at a position.
 *
 * <p>Thread rule: confined to one thread.
 */
final class RowReader {

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int MAX_CELL_BYTES = 16 << 20;

  private final InputBytes file;
  private final byte separator;
  private final TableBytes bytes;
  private final ByteArrayOutputStream cell = new ByteArrayOutputStream();

  /** The spaces before the first cell of a row. */
  private final ByteArrayOutputStream blanks = new ByteArrayOutputStream();

  RowReader(InputBytes file, char separator, long position) {
    this.file = file;
    this.separator = (byte) separator;
    this.bytes = new TableBytes(file, position, BUFFER_BYTES);
  }

  /** Returns the position of the next byte. */
  long position() {
    return bytes.position();
  }

  /** Returns the cells of the next row that is no blank line, or null at the end. */
  @Nullable List<String> row() {
    skipBlankLines();
    if (atEnd()) {
      return null;
    }
    List<String> cells = new ArrayList<>();
    while (true) {
      cells.add(cell());
      if (cells.size() > RowCells.MAX_COLUMNS) {
        throw corrupt("actual=more columns, expected<=" + RowCells.MAX_COLUMNS);
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

  /** Keeps the spaces with which another line begins. */
  private void skipBlankLines() {
    while (true) {
      blanks.reset();
      while (isBlank(bytes.peek())) {
        blanks.write(bytes.peek());
        bytes.pass();
      }
      if (bytes.peek() != '\n' && bytes.peek() != '\r') {
        if (atEnd()) {
          blanks.reset();
        }
        return;
      }
      bytes.pass();
    }
  }

  private boolean isBlank(int b) {
    return (b == ' ' || b == '\t') && b != separator && blanks.size() < MAX_CELL_BYTES;
  }

  private boolean atEnd() {
    return bytes.peek() == TableBytes.END;
  }

  private String cell() {
    cell.reset();
    cell.writeBytes(blanks.toByteArray());
    blanks.reset();
    boolean quoted = cell.size() == 0 && !atEnd() && bytes.peek() == '"';
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
          file.name(),
          "table",
          position(),
          TableRows.NOT_UTF8 + " of line " + TableRows.lineOf(file, position()) + TableRows.UTF8,
          wrong);
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
      throw corrupt(
          b == 0
              ? "actual=a NUL, expected=text; --encoding=utf-16 reads UTF-16"
              : "actual=a cell beyond " + MAX_CELL_BYTES + " bytes, expected=a shorter one");
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
