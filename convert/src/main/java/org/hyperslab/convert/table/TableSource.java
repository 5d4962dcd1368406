package org.hyperslab.convert.table;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.convert.bytes.FileBytes;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.ElementReader;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.SourceFile;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.convert.model.Variable.Traits;
import org.hyperslab.convert.options.TableOptions;
import org.hyperslab.convert.table.cell.RowCells;
import org.hyperslab.convert.table.cell.TablePieces;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.jspecify.annotations.Nullable;

/**
 * A source that reads a table as one variable of a compound type, or as one variable for each
 * column. Reads the whole file once to determine the type of each column.
 *
 * <p>Thread rule: as {@link SourceFile}; the positions of rows do not change once they are known.
 */
public final class TableSource implements SourceFile {

  static final String UNITS = "units";

  private final FileBytes file;
  private final TableHeader header;
  private final TableRows.Form form;
  private final TableRows rows;
  private final int pieceBytes;
  private final ConversionRun work;
  private final GroupNode root = GroupNode.empty("/");
  private final List<Column> columns = new ArrayList<>();

  /** The elements of all columns, if these become variables; else null. */
  private @Nullable ColumnStore stored;

  /** The cells of a table of numbers; else null. */
  private final @Nullable NumberStore numbers;

  private TableSource(FileBytes file, Reading reading, ConversionRun work) {
    this.file = file;
    this.work = work;
    TablePreamble preamble = TablePreamble.of(file);
    char separator =
        reading
            .separator
            .or(preamble::separator)
            .orElseGet(() -> CellSeparator.of(file, preamble.firstCells(file.size())));
    this.form =
        new TableRows.Form(
            file,
            separator,
            MissingMarks.of(reading.options.missing()),
            reading.options.fillsShortRows());
    this.pieceBytes = TableRows.pieceBytes(work.memoryBytes());
    TableHeader.Read read = TableHeader.read(form, preamble, reading.options, work);
    this.header = read.header();
    this.rows = read.rows();
    this.numbers = rows.numbers().orElse(null);
    for (int i = 0; i < header.names().size(); i++) {
      String name = header.names().get(i);
      columns.add(Column.of(name, rows.columns().get(i), form.marks()));
      rows.columns()
          .get(i)
          .note()
          .ifPresent(what -> work.note("the column " + name + " is " + what));
    }
  }

  /**
   * How a table is read.
   *
   * @param separator the separator of cells; empty to determine it from the first rows
   * @param asColumns whether each column becomes a variable
   * @param options the other options
   */
  public record Reading(Optional<Character> separator, boolean asColumns, TableOptions options) {}

  /**
   * Opens a table.
   *
   * @param path the file
   * @param reading how it is read
   * @param work has the threads and the limits, and receives notes
   * @return the source, to be closed
   * @throws CorruptFileException if rows have different numbers of cells, or quotes do not end
   */
  public static TableSource open(Path path, Reading reading, ConversionRun work) {
    FileBytes file = TableInput.open(path, reading.options, work.expandedBytes());
    TableSource source;
    try {
      source = new TableSource(file, reading, work);
    } catch (RuntimeException | Error failure) {
      file.close();
      throw failure;
    }
    try {
      source.build(reading.asColumns);
      return source;
    } catch (RuntimeException | Error failure) {
      source.close();
      throw failure;
    }
  }

  private void build(boolean asColumns) {
    Dataspace space = Dataspace.simple(rows.count());
    List<String> units = header.units();
    if (asColumns) {
      if (numbers == null
          && columns.stream().filter(ColumnStore::holds).limit(2).count() > 1
          && rows.count() > 0) {
        stored = ColumnStore.of(file.name(), columns, rows.count(), this::read, work);
      }
      for (int i = 0; i < columns.size(); i++) {
        Column column = columns.get(i);
        requirePathName(column.name());
        boolean hasUnit = !units.isEmpty() && !units.get(i).isEmpty();
        Traits traits =
            hasUnit
                ? Traits.NONE.withAttributes(List.of(AttributeValue.ofText(UNITS, units.get(i))))
                : Traits.NONE;
        root.variables()
            .add(new Variable("/" + column.name(), column.type(), space, traits, new Cells(i)));
      }
      return;
    }
    CompoundType.Builder type = CompoundType.builder();
    columns.forEach(column -> type.member(column.name(), column.type()));
    Traits traits =
        units.isEmpty() ? Traits.NONE : Traits.NONE.withAttributes(List.of(unitsAttribute(units)));
    root.variables().add(new Variable("/table", type.build(), space, traits, new Cells(-1)));
  }

  private void requirePathName(String name) {
    Set<String> reserved = Set.of(".", "..");
    if (name.indexOf('/') >= 0 || reserved.contains(name)) {
      throw new CorruptFileException(
          file.name(),
          "table",
          0,
          "actual=the column \"" + name + "\", expected=a name without /; leave out --columns");
    }
  }

  private static AttributeValue unitsAttribute(List<String> units) {
    Datatype type = Datatypes.vlenString();
    DataBuffer data = DataBuffer.allocate(type, units.size());
    for (int i = 0; i < units.size(); i++) {
      data.heap().putString(data.elements(), (long) i * type.memorySize(), units.get(i));
    }
    return new AttributeValue(UNITS, type, Dataspace.simple(units.size()), data);
  }

  @Override
  public GroupNode root() {
    return root;
  }

  @Override
  public void close() {
    try (file;
        rows) {
      if (stored != null) {
        stored.close();
      }
    }
  }

  /** Reads cells of rows, of each column to its own memory, which is zero. */
  private void read(long first, long count, int[] wanted, DataBuffer[] targets) {
    int[] sizes = new int[wanted.length];
    for (int i = 0; i < wanted.length; i++) {
      sizes[i] = columns.get(wanted[i]).type().inMemory().size();
    }
    forRows(
        first,
        count,
        (row, number) -> {
          for (int i = 0; i < wanted.length; i++) {
            put(row, wanted[i], targets[i], number * sizes[i]);
          }
        });
  }

  private void put(RowCells row, int cell, DataBuffer target, long at) {
    columns.get(cell).put(row, cell, target, at);
  }

  /** Receives rows in order. */
  @FunctionalInterface
  private interface RowSink {

    /** Receives a row; {@code number} counts from the first one that is read. */
    void accept(RowCells row, long number);
  }

  private void forRows(long first, long count, RowSink sink) {
    TableRows.Range range = rows.range(first, count, file.size());
    TablePieces pieces =
        new TablePieces(file, form.separator(), range.position(), range.end(), pieceBytes);
    RowCells row = new RowCells(file.name(), form.separator());
    long number = range.row();
    long end = first + count;
    while (number < end) {
      row.begin(pieces.next());
      while (number < end && row.next()) {
        if (number >= first) {
          sink.accept(row, number - first);
        }
        number++;
      }
    }
  }

  /** Reads one column, or all of them as members of a compound. */
  private final class Cells implements ElementReader {

    private final boolean isColumn;
    private final int first;
    private final int[] offsets;
    private final int elementBytes;

    /** Whether a cell leaves parts of its element, or an element has parts between cells. */
    private final boolean hasGaps;

    Cells(int only) {
      isColumn = only >= 0;
      first = Math.max(0, only);
      if (isColumn) {
        offsets = new int[1];
        elementBytes = columns.get(only).type().inMemory().size();
        hasGaps = columns.get(only).kind() == ColumnFacts.Kind.TEXT;
        return;
      }
      CompoundType.Builder type = CompoundType.builder();
      columns.forEach(column -> type.member(column.name(), column.type()));
      CompoundType memory = (CompoundType) type.build().inMemory();
      offsets = memory.members().stream().mapToInt(CompoundType.Member::offset).toArray();
      elementBytes = memory.size();
      int cells = memory.members().stream().mapToInt(member -> member.type().size()).sum();
      hasGaps =
          cells < elementBytes
              || columns.stream().anyMatch(column -> column.kind() == ColumnFacts.Kind.TEXT);
    }

    @Override
    public void read(long[] start, long[] count, DataBuffer target) {
      MemorySegment elements = target.elements().asSlice(0, count[0] * elementBytes);
      if (stored != null && offsets.length == 1 && ColumnStore.holds(columns.get(first))) {
        stored.read(first, start[0], elements);
        return;
      }
      if (numbers != null) {
        readNumbers(numbers, start[0], elements);
        return;
      }
      if (hasGaps) {
        elements.fill((byte) 0);
      }
      forRows(
          start[0],
          count[0],
          (row, number) -> {
            for (int i = 0; i < offsets.length; i++) {
              put(row, first + i, target, number * elementBytes + offsets[i]);
            }
          });
    }

    private void readNumbers(NumberStore cells, long row, MemorySegment elements) {
      boolean[] areDoubles = new boolean[offsets.length];
      for (int i = 0; i < offsets.length; i++) {
        areDoubles[i] = columns.get(first + i).kind() == ColumnFacts.Kind.REAL;
      }
      if (isColumn) {
        cells.read(first, row, areDoubles[0], elements);
      } else {
        cells.readRows(row, areDoubles, elements);
      }
    }
  }
}
