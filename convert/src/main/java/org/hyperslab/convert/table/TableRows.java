package org.hyperslab.convert.table;

import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.hyperslab.convert.bytes.InputBytes;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.table.cell.RowCells;
import org.hyperslab.convert.table.cell.TablePieces;
import org.hyperslab.error.CorruptFileException;

/**
 * The rows of a table below its names: how many there are, what the cells of each column have in
 * common, where some of them begin, and their cells if all are numbers. The table is read once, in
 * pieces, by several threads.
 *
 * <p>Thread rule: immutable.
 */
final class TableRows implements AutoCloseable {

  /** The number of rows from one whose position is known to the next, at most. */
  static final int INDEXED_ROWS = 1024;

  /** How the message about text in another encoding begins. */
  static final String NOT_UTF8 = "actual=text that is not UTF-8, in a cell";

  /** How the message about text in another encoding ends. */
  static final String UTF8 = ", expected=UTF-8; --encoding names another encoding, such as latin1";

  private static final int MIN_PIECE_BYTES = 1 << 14;

  /** The maximum size of a piece of more than one row. */
  static final int MAX_PIECE_BYTES = 1 << 18;

  private static final int PIECES_IN_MEMORY = 64;

  private final long count;
  private final List<ColumnFacts> columns;
  private final long[] firstRows;
  private final long[] positions;
  private final NumberStore numbers;

  private TableRows(long count, List<ColumnFacts> columns, Index index, NumberStore numbers) {
    this.count = count;
    this.columns = columns;
    this.firstRows = index.firstRows;
    this.positions = index.positions;
    this.numbers = numbers;
  }

  /** The numbers of some rows, and where they are. */
  private record Index(long[] firstRows, long[] positions) {}

  /**
   * The form of a table.
   *
   * @param file the table
   * @param separator what separates cells
   * @param marks what marks missing values
   * @param fillsShortRows whether cells that a row lacks are missing values
   */
  record Form(InputBytes file, char separator, MissingMarks marks, boolean fillsShortRows) {}

  /** What is known of a piece. */
  private record PieceRows(int number, long count, long[] positions) {}

  /**
   * Reads all rows.
   *
   * @param form the table
   * @param from the position of the first row
   * @param columnCount the number of cells of each row
   * @param work has the threads
   * @return the rows, to be closed
   * @throws CorruptFileException if a row has another number of cells, or text is not UTF-8
   */
  static TableRows read(Form form, long from, int columnCount, ConversionRun work) {
    NumberStore numbers = NumberStore.of(form.file.name(), columnCount);
    try {
      return read(form, from, facts(columnCount), numbers, work);
    } catch (RuntimeException | Error failure) {
      numbers.close();
      throw failure;
    }
  }

  private static TableRows read(
      Form form, long from, List<ColumnFacts> columns, NumberStore numbers, ConversionRun work) {
    TablePieces pieces =
        new TablePieces(
            form.file, form.separator, from, form.file.size(), pieceBytes(work.memoryBytes()));
    List<PieceRows> found = new ArrayList<>();
    work.parallel(
        () -> pieces,
        Integer.MAX_VALUE,
        piece -> {
          List<ColumnFacts> facts = facts(columns.size());
          PieceRows rows = rowsOf(piece, form, facts, numbers);
          synchronized (found) {
            found.add(rows);
            for (int i = 0; i < columns.size(); i++) {
              columns.get(i).merge(facts.get(i));
            }
          }
        });
    numbers.finish();
    found.sort(Comparator.comparingInt(PieceRows::number));
    long count = found.stream().mapToLong(PieceRows::count).sum();
    return new TableRows(count, columns, index(found), numbers);
  }

  private static List<ColumnFacts> facts(int columnCount) {
    List<ColumnFacts> facts = new ArrayList<>();
    for (int i = 0; i < columnCount; i++) {
      facts.add(new ColumnFacts());
    }
    return facts;
  }

  /** Returns the size of pieces of which each thread may have one. */
  static int pieceBytes(long memoryBytes) {
    return Math.clamp(memoryBytes / PIECES_IN_MEMORY, MIN_PIECE_BYTES, MAX_PIECE_BYTES);
  }

  private static PieceRows rowsOf(
      TablePieces.Piece piece, Form form, List<ColumnFacts> facts, NumberStore numbers) {
    RowCells row = new RowCells(form.file.name(), form.separator);
    row.begin(piece);
    NumberStore.Block block = numbers.isKept() ? numbers.block(piece) : null;
    long[] positions = new long[4];
    long count = 0;
    while (row.next()) {
      requireCount(row, form, facts.size());
      if (count % INDEXED_ROWS == 0) {
        int index = (int) (count / INDEXED_ROWS);
        if (index == positions.length) {
          positions = Arrays.copyOf(positions, 2 * index);
        }
        positions[index] = row.position();
      }
      see(row, facts, form);
      if (block != null && numbers.isKept()) {
        block.add(row, form.marks);
      }
      count++;
    }
    if (block != null) {
      block.end();
    }
    int indexed = (int) ((count + INDEXED_ROWS - 1) / INDEXED_ROWS);
    return new PieceRows(piece.number(), count, Arrays.copyOf(positions, indexed));
  }

  private static void see(RowCells row, List<ColumnFacts> facts, Form form) {
    for (int i = 0; i < facts.size(); i++) {
      try {
        facts.get(i).see(row, i, form.marks);
      } catch (CharacterCodingException wrong) {
        throw new CorruptFileException(
            form.file.name(),
            "table",
            row.position(),
            NOT_UTF8 + " of line " + lineOf(form.file, row.position()) + UTF8,
            wrong);
      }
    }
  }

  private static void requireCount(RowCells row, Form form, int columnCount) {
    boolean isShort = row.count() < columnCount;
    if (row.count() != columnCount && !(isShort && form.fillsShortRows)) {
      throw new CorruptFileException(
          form.file.name(),
          "table",
          row.position(),
          "actual="
              + row.count()
              + " cells in line "
              + lineOf(form.file, row.position())
              + ", expected="
              + columnCount
              + " as in the first row; --delimiter sets what separates cells, --header=N the row of"
              + " the names"
              + (isShort
                  ? ", and --short-rows=fill takes cells that are not there as missing"
                  : ""));
    }
  }

  /** Returns the number of the line that begins at a position, from 1. */
  static long lineOf(InputBytes file, long position) {
    TableBytes bytes = new TableBytes(file, 0, MAX_PIECE_BYTES);
    long line = 1;
    int last = 0;
    while (bytes.position() < position) {
      int next = bytes.peek();
      boolean isEnd = next == '\r' || (next == '\n' && last != '\r');
      line += isEnd ? 1 : 0;
      last = next;
      bytes.pass();
    }
    return line;
  }

  private static Index index(List<PieceRows> pieces) {
    int indexed = pieces.stream().mapToInt(piece -> piece.positions.length).sum();
    long[] firstRows = new long[indexed];
    long[] positions = new long[indexed];
    long count = 0;
    int at = 0;
    for (PieceRows piece : pieces) {
      for (int i = 0; i < piece.positions.length; i++) {
        firstRows[at] = count + (long) i * INDEXED_ROWS;
        positions[at++] = piece.positions[i];
      }
      count += piece.count;
    }
    return new Index(firstRows, positions);
  }

  /** {@return the numbers of all cells, if all columns are integers with a sign or doubles} */
  Optional<NumberStore> numbers() {
    boolean isNumbers =
        columns.stream()
            .map(ColumnFacts::kind)
            .allMatch(kind -> kind == ColumnFacts.Kind.INTEGER || kind == ColumnFacts.Kind.REAL);
    return isNumbers && numbers.isKept() ? Optional.of(numbers) : Optional.empty();
  }

  /** Frees the numbers of cells. */
  @Override
  public void close() {
    numbers.close();
  }

  /** {@return the number of rows} */
  long count() {
    return count;
  }

  /** {@return what is known of each column} */
  List<ColumnFacts> columns() {
    return columns;
  }

  /**
   * A range of a table that begins with a row.
   *
   * @param row the number of the row
   * @param position where it is
   * @param end the position of another row or the end of the table
   */
  record Range(long row, long position, long end) {}

  /** Returns a range that contains some rows, of which there is at least one. */
  Range range(long first, long rows, long fileBytes) {
    int from = indexOf(first);
    int last = indexOf(first + rows - 1);
    long end = last + 1 < positions.length ? positions[last + 1] : fileBytes;
    return new Range(firstRows[from], positions[from], end);
  }

  private int indexOf(long row) {
    int found = Arrays.binarySearch(firstRows, row);
    return found >= 0 ? found : -found - 2;
  }
}
