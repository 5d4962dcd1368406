package org.hyperslab.convert.table;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.options.TableOptions;
import org.hyperslab.error.CorruptFileException;

/**
 * The names and units of the columns of a table.
 *
 * <p>The first row has the names, as pandas reads it, whatever its cells are, unless the options or
 * a comment say otherwise. The row below it has units only if each of its cells that is not empty
 * is a known unit above numbers, or if the options say so.
 *
 * <p>Thread rule: immutable.
 *
 * @param names the name of each column
 * @param units the unit of each column, empty if it has none; an empty list if no row has units
 */
record TableHeader(List<String> names, List<String> units) {

  /** A cell that stands for no unit beside others. */
  private static final String NO_UNIT = "-";

  private static final int NAMES_IN_NOTE = 4;

  /**
   * A table that has been read once.
   *
   * @param header its names and units
   * @param rows its rows
   */
  record Read(TableHeader header, TableRows rows) {}

  /**
   * Reads a table once.
   *
   * @param form the table
   * @param preamble what is before its first row
   * @param options how it is read
   * @param work has the threads, and receives notes
   * @throws CorruptFileException if it is empty, or no table
   */
  static Read read(
      TableRows.Form form, TablePreamble preamble, TableOptions options, ConversionRun work) {
    RowReader reader = new RowReader(form.file(), form.separator(), preamble.firstRow());
    Optional<List<String>> alone =
        options.isHeaderOpen() ? namesWithoutRows(form, preamble) : Optional.empty();
    if (alone.isPresent()) {
      work.note("the comment was read as the names of columns, because there is no row");
      return withUnits(form, alone.get(), reader, options, work);
    }
    List<String> first = firstRow(form, reader, options.rowsBeforeHeader());
    Optional<List<String>> comment =
        options.isHeaderOpen() ? commentedNames(form, preamble, first) : Optional.empty();
    boolean isBelowComment = preamble.comment().isPresent() && options.isHeaderOpen();
    boolean isData =
        comment.isPresent() || !options.hasHeader() || (isBelowComment && isAllNumbers(first));
    List<String> names =
        comment.orElseGet(
            () -> isData ? ColumnNames.numbered(first.size()) : ColumnNames.of(first));
    long start = isData ? preamble.firstRow() : reader.position();
    if (options.isHeaderOpen() && comment.isEmpty()) {
      note(first, isData, isBelowComment, work);
    }
    RowReader below = new RowReader(form.file(), form.separator(), start);
    return withUnits(form, names, below, options, work);
  }

  private static List<String> firstRow(TableRows.Form form, RowReader reader, int before) {
    List<String> first = reader.row();
    for (int i = 0; i < before && first != null; i++) {
      first = reader.row();
    }
    if (first == null) {
      String problem =
          before == 0
              ? "actual=an empty file, expected=at least one row"
              : "actual=fewer rows, expected=names in row " + before + " (--header counts from 0)";
      throw new CorruptFileException(form.file().name(), "table", 0, problem);
    }
    return first;
  }

  /** Says what was done where a reader could expect something else. */
  private static void note(
      List<String> first, boolean isData, boolean isBelowComment, ConversionRun work) {
    String cells =
        first.stream().limit(NAMES_IN_NOTE).collect(Collectors.joining(", "))
            + (first.size() > NAMES_IN_NOTE ? ", \u2026" : "");
    if (isData) {
      work.note(
          "the first row ("
              + cells
              + ") was read as data, because it has only numbers and is below"
              + " a comment; --header yes reads it as names");
    } else if (isAllNumbers(first)
        || (isBelowComment && first.stream().anyMatch(TableHeader::isNumber))) {
      work.note(
          "the first row ("
              + cells
              + ") was read as the names of columns; --header no reads it as"
              + " data");
    }
  }

  private static boolean isAllNumbers(List<String> row) {
    return row.stream().allMatch(cell -> cell.isEmpty() || isNumber(cell))
        && row.stream().anyMatch(TableHeader::isNumber);
  }

  private static boolean isNumber(String cell) {
    return CellSeparator.isNumber(cell) || Column.isNumber(cell);
  }

  /**
   * Returns the names that the comment above the first row has, as NumPy ({@code savetxt}) and many
   * programs write them: one for each cell of the row. If the row could be the names as well, the
   * comment has them only if no space follows its {@code #}.
   */
  private static Optional<List<String>> commentedNames(
      TableRows.Form form, TablePreamble preamble, List<String> first) {
    if (preamble.comment().isEmpty() || first.size() < 2) {
      return Optional.empty();
    }
    return hasSpace(form, preamble) && areNames(first)
        ? Optional.empty()
        : commentAsNames(form, preamble).filter(names -> names.size() == first.size());
  }

  private static boolean hasSpace(TableRows.Form form, TablePreamble preamble) {
    return form.file().read(preamble.comment().getAsLong(), 1)[0] == ' ';
  }

  /**
   * Returns the names that a comment has, at least two, if no row is below it and no space follows
   * its {@code #}.
   */
  private static Optional<List<String>> namesWithoutRows(
      TableRows.Form form, TablePreamble preamble) {
    long end = form.file().size();
    boolean isAlone =
        preamble.comment().isPresent()
            && preamble.firstRow() == end
            && preamble.comment().getAsLong() < end
            && !hasSpace(form, preamble);
    return isAlone
        ? commentAsNames(form, preamble).filter(names -> names.size() > 1)
        : Optional.empty();
  }

  /** Returns the cells of the last comment, if they can be names. */
  private static Optional<List<String>> commentAsNames(
      TableRows.Form form, TablePreamble preamble) {
    RowReader reader = new RowReader(form.file(), form.separator(), preamble.comment().getAsLong());
    try {
      List<String> row = reader.row();
      if (row == null || reader.position() != preamble.firstRow()) {
        return Optional.empty();
      }
      List<String> names = new ArrayList<>(row);
      names.set(0, names.getFirst().stripLeading());
      return Optional.of(names).filter(TableHeader::areNames);
    } catch (CorruptFileException _) {
      return Optional.empty(); // a comment need not be a row
    }
  }

  /** Returns whether cells are surely names: different, and none is empty or a number. */
  private static boolean areNames(List<String> row) {
    return new HashSet<>(row).size() == row.size()
        && row.stream().noneMatch(cell -> cell.isEmpty() || isNumber(cell));
  }

  // --- units ---

  private static Read withUnits(
      TableRows.Form form,
      List<String> names,
      RowReader reader,
      TableOptions options,
      ConversionRun work) {
    long start = reader.position();
    boolean isForced = options.unitsRow().orElse(false);
    List<String> row = options.unitsRow().orElse(true) ? reader.row() : null;
    boolean isCandidate =
        row != null && row.size() == names.size() && (isForced || areUnits(row, form.marks()));
    if (isForced && !isCandidate) {
      throw new CorruptFileException(
          form.file().name(),
          "table",
          start,
          "actual="
              + (row == null ? "no row" : row.size() + " cells")
              + " below the names, expected=a unit for each of "
              + names.size()
              + " columns; leave out --units-row");
    }
    if (row != null && isCandidate) {
      TableRows rows = TableRows.read(form, reader.position(), names.size(), work);
      if (isForced || areAboveNumbers(row, rows)) {
        if (!isForced) {
          work.note(
              "the row below the names ("
                  + row.stream().limit(NAMES_IN_NOTE).collect(Collectors.joining(", "))
                  + ") was read as units; --units-row=no reads it as data");
        }
        return new Read(new TableHeader(names, row), rows);
      }
      rows.close();
    }
    return new Read(
        new TableHeader(names, List.of()), TableRows.read(form, start, names.size(), work));
  }

  /** Marks of missing values are no units, not even N/A, which could be newtons per ampere. */
  private static boolean areUnits(List<String> row, MissingMarks marks) {
    return row.stream().anyMatch(UnitNames::isUnit)
        && row.stream()
            .allMatch(cell ->
                cell.isEmpty()
                    || cell.equals(NO_UNIT)
                    || (UnitNames.isUnit(cell) && !marks.has(cell)));
  }

  private static boolean areAboveNumbers(List<String> units, TableRows rows) {
    return rows.count() > 0
        && IntStream.range(0, units.size())
            .allMatch(i -> !UnitNames.isUnit(units.get(i)) || rows.columns().get(i).hasNumbers());
  }
}
