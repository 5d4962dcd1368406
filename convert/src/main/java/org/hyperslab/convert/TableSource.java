package org.hyperslab.convert;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.hyperslab.convert.Variable.Traits;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.value.ElementCodec;

/**
 * A source that reads a table as one variable of a compound type, or as one variable for each
 * column. Reads the whole file once to determine the type of each column.
 *
 * <p>Thread rule: as {@link SourceFile}; the positions of rows do not change once they are known.
 */
final class TableSource implements SourceFile {

  static final String UNITS = "units";

  /** The name of a column without one, followed by its number from 0. */
  private static final String NAME = "column";

  private static final int INDEXED_ROWS = 4096;

  private final FileBytes file;
  private final long start;
  private final OptionalLong comment;
  private final char separator;
  private final GroupNode root = GroupNode.empty("/");
  private final List<Column> columns = new ArrayList<>();
  private final List<String> units = new ArrayList<>();
  private long[] positions = new long[16];
  private long rows;

  private TableSource(FileBytes file, Optional<Character> separator) {
    this.file = file;
    TablePreamble preamble = TablePreamble.of(file);
    this.start = preamble.firstRow();
    this.comment = preamble.comment();
    this.separator =
        separator.or(preamble::separator).orElseGet(() -> CellSeparator.of(file, start));
  }

  /**
   * Opens a table.
   *
   * @param path the file, in UTF-8
   * @param separator the separator of cells; empty to determine it from the first rows
   * @param asColumns whether each column becomes a variable
   * @return the source, to be closed
   * @throws CorruptFileException if rows have different numbers of cells, or quotes do not end
   */
  public static TableSource open(Path path, Optional<Character> separator, boolean asColumns) {
    FileBytes file = FileBytes.open(path);
    try {
      TableSource source = new TableSource(file, separator);
      source.inspect();
      source.build(asColumns);
      return source;
    } catch (RuntimeException | Error failure) {
      file.close();
      throw failure;
    }
  }

  // --- the first reading ---

  private void inspect() {
    RowReader reader = new RowReader(file, separator, start);
    long position = reader.position();
    List<String> first = reader.row();
    if (first == null) {
      throw new CorruptFileException(
          file.name(), "table", 0, "actual=an empty file, expected=at least one row");
    }
    List<String> names = first.getFirst().isEmpty() ? withNameOfIndex(first) : first;
    Optional<List<String>> commented = commentedHeader(first);
    boolean hasHeader = commented.isEmpty() && isHeader(names);
    name(commented.orElse(names), hasHeader || commented.isPresent());
    if (commented.isPresent()) {
      reader = new RowReader(file, separator, position);
    }
    if (hasHeader || commented.isPresent()) {
      position = reader.position();
      List<String> second = reader.row(columns.size());
      if (second != null && isUnits(second, reader.position())) {
        units.addAll(second);
        position = reader.position();
      }
    }
    see(position, columns);
  }

  /**
   * Returns the names of columns that the comment above the first row has, as NumPy ({@code
   * savetxt}) and many programs write them: one for each cell of the row. If the row could be the
   * names as well, the comment has them only if no space follows its {@code #}.
   */
  private Optional<List<String>> commentedHeader(List<String> first) {
    if (comment.isEmpty() || first.size() < 2) {
      return Optional.empty();
    }
    boolean hasSpace = file.read(comment.getAsLong(), 1)[0] == ' ';
    RowReader reader = new RowReader(file, separator, comment.getAsLong());
    try {
      List<String> names = new ArrayList<>(reader.row());
      names.set(0, names.getFirst().stripLeading());
      boolean isNames = names.size() == first.size() && isHeader(names);
      return isNames && reader.position() == start && !(hasSpace && isHeader(first))
          ? Optional.of(names)
          : Optional.empty();
    } catch (CorruptFileException _) {
      return Optional.empty(); // a comment need not be a row
    }
  }

  /** pandas and R give no name to the column of row labels, which is the first. */
  private static List<String> withNameOfIndex(List<String> names) {
    List<String> all = new ArrayList<>(names);
    all.set(0, names.size() > 1 ? NAME + 0 : "");
    return all;
  }

  /** Names are different, and none is empty or a number. */
  private boolean isHeader(List<String> row) {
    return new HashSet<>(row).size() == row.size()
        && row.stream().noneMatch(cell -> cell.isEmpty() || isNumber(cell));
  }

  /** A number with a decimal comma is no name or unit either. */
  private boolean isNumber(String cell) {
    return Column.isNumber(cell) || (separator != ',' && CellSeparator.isNumber(cell));
  }

  private void name(List<String> first, boolean hasHeader) {
    for (int i = 0; i < first.size(); i++) {
      columns.add(new Column(hasHeader ? first.get(i) : NAME + i));
    }
  }

  /** Units have no number, and stand over a column that is numbers from there on. */
  private boolean isUnits(List<String> row, long after) {
    boolean text =
        row.size() == columns.size()
            && row.stream().noneMatch(this::isNumber)
            && row.stream().anyMatch(cell -> !cell.isEmpty());
    if (!text) {
      return false;
    }
    List<Column> below = columns.stream().map(column -> new Column(column.name())).toList();
    RowReader reader = new RowReader(file, separator, after);
    for (List<String> next = reader.row(below.size());
        next != null;
        next = reader.row(below.size())) {
      for (int i = 0; i < Math.min(next.size(), below.size()); i++) {
        below.get(i).see(next.get(i));
      }
    }
    return below.stream().anyMatch(Column::isNumeric);
  }

  private void see(long from, List<Column> all) {
    RowReader reader = new RowReader(file, separator, from);
    long position = from;
    for (List<String> row = reader.row(all.size()); row != null; row = reader.row(all.size())) {
      if (row.size() != all.size()) {
        throw new CorruptFileException(
            file.name(),
            "table",
            position,
            "actual="
                + row.size()
                + " cells, expected="
                + all.size()
                + " as in the first row; --delimiter sets what separates cells");
      }
      if (rows % INDEXED_ROWS == 0) {
        int index = (int) (rows / INDEXED_ROWS);
        if (index == positions.length) {
          positions = Arrays.copyOf(positions, 2 * index);
        }
        positions[index] = position;
      }
      for (int i = 0; i < row.size(); i++) {
        all.get(i).see(row.get(i));
      }
      rows++;
      position = reader.position();
    }
  }

  // --- variables ---

  private void build(boolean asColumns) {
    Dataspace space = Dataspace.simple(rows);
    if (asColumns) {
      for (int i = 0; i < columns.size(); i++) {
        Column column = columns.get(i);
        requirePathName(column.name());
        Traits traits =
            units.isEmpty()
                ? Traits.NONE
                : Traits.NONE.withAttributes(List.of(AttributeValue.ofText(UNITS, units.get(i))));
        root.variables()
            .add(new Variable("/" + column.name(), column.type(), space, traits, new Cells(i)));
      }
      return;
    }
    CompoundType.Builder type = CompoundType.builder();
    columns.forEach(column -> type.member(column.name(), column.type()));
    Traits traits =
        units.isEmpty() ? Traits.NONE : Traits.NONE.withAttributes(List.of(unitsAttribute()));
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

  private AttributeValue unitsAttribute() {
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
    file.close();
  }

  /** Reads one column, or all of them as members of a compound. */
  private final class Cells implements ElementReader {

    private final int only;
    private final Datatype memory;
    private final List<ElementCodec> codecs = new ArrayList<>();
    private final List<Integer> offsets = new ArrayList<>();

    Cells(int only) {
      this.only = only;
      if (only >= 0) {
        memory = columns.get(only).type().inMemory();
        codecs.add(ElementCodec.of(memory));
        offsets.add(0);
      } else {
        CompoundType.Builder type = CompoundType.builder();
        columns.forEach(column -> type.member(column.name(), column.type()));
        CompoundType inMemory = (CompoundType) type.build().inMemory();
        memory = inMemory;
        inMemory
            .members()
            .forEach(member -> {
              codecs.add(ElementCodec.of(member.type()));
              offsets.add(member.offset());
            });
      }
    }

    @Override
    public void read(long[] start, long[] count, DataBuffer target) {
      long indexed = start[0] / INDEXED_ROWS;
      RowReader reader = new RowReader(file, separator, positions[(int) indexed]);
      for (long skip = start[0] - indexed * INDEXED_ROWS; skip > 0; skip--) {
        List<String> _ = reader.row(columns.size());
      }
      MemorySegment elements = target.elements();
      elements.asSlice(0, count[0] * memory.size()).fill((byte) 0);
      for (long r = 0; r < count[0]; r++) {
        List<String> row = reader.row(columns.size());
        for (int i = 0; i < codecs.size(); i++) {
          int column = only >= 0 ? only : i;
          Object value = columns.get(column).value(row.get(column));
          long at = r * memory.size() + offsets.get(i);
          codecs.get(i).encode(value, elements, at, target.heap());
        }
      }
    }
  }
}
