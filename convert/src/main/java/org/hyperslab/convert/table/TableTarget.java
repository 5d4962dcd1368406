package org.hyperslab.convert.table;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.hyperslab.convert.bytes.FileBytes;
import org.hyperslab.convert.bytes.ZlibStreams;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.TargetFile;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.convert.options.TableOptions;
import org.hyperslab.convert.table.cell.RowCells;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.value.ElementCodec;

/**
 * Writes a table: a header, units if there are any, and a row for each element. The columns are the
 * members of a variable of a compound type, or several one-dimensional variables of the same
 * length.
 */
public final class TableTarget implements TargetFile {

  private static final long MAX_ROWS_AT_A_TIME = 1024;
  private static final int BLOCKS_AT_A_TIME = 32;

  private final char separator;
  private final TableOptions options;
  private final boolean isGzip;
  private final Path named;

  /**
   * Creates the target.
   *
   * @param separator the separator of cells
   * @param options says whether names are written, and the encoding
   * @param named the name of the output, which may be written under another one; says also whether
   *     the table is compressed
   */
  public TableTarget(char separator, TableOptions options, Path named) {
    this.separator = separator;
    this.options = options;
    this.isGzip = TableInput.isNamedGzip(named);
    this.named = named;
  }

  /**
   * A column with the position and type of its elements.
   *
   * @param offset of the first element in a row of the variable's elements, in bytes
   */
  private record Field(
      String name, Variable variable, ElementCodec codec, int offset, Optional<String> unit) {}

  /** A range of rows. */
  private record Block(int number, long first, long count) {}

  @Override
  public void write(GroupNode root, Path path, ConversionRun work) {
    try (FileBytes out = FileBytes.create(path);
        OutputStream bytes = Channels.newOutputStream(out.channel())) {
      write(root, bytes, named, work);
    } catch (IOException failure) {
      throw FileBytes.failed("write", named, failure);
    }
  }

  /**
   * Writes the table to a stream.
   *
   * @param root the content
   * @param out receives the table; stays open
   * @param path what the output is named in messages
   * @param work moves the elements
   */
  public void write(GroupNode root, OutputStream out, Path path, ConversionRun work) {
    root.attributes().forEach(a -> work.reportLoss("the attribute " + a.name(), root.path()));
    root.groups().forEach(group -> work.reportLoss("a group", group.path()));
    List<Field> fields = fields(root, path, work);
    TableEncoder encoder = new TableEncoder(options.charset());
    try {
      OutputStream bytes = isGzip ? ZlibStreams.here().gzip(out) : out;
      bytes.write(encoder.encode(head(fields, work)));
      long rows = rowsOf(fields.getFirst().variable);
      long rowBytes =
          fields.stream().map(Field::variable).distinct().mapToLong(TableTarget::rowBytes).sum();
      long most =
          Math.clamp(work.memoryBytes() / 8 / BLOCKS_AT_A_TIME / rowBytes, 1, MAX_ROWS_AT_A_TIME);
      for (long first = 0; first < rows; first += most * BLOCKS_AT_A_TIME) {
        long count = Math.min(most * BLOCKS_AT_A_TIME, rows - first);
        for (String block : blocks(fields, new Block(0, first, count), most, work)) {
          bytes.write(encoder.encode(block));
        }
        work.advance(rowBytes * count);
      }
      bytes.write(encoder.end());
      if (bytes instanceof GZIPOutputStream gzip) {
        gzip.finish();
      }
      bytes.flush();
    } catch (CharacterCodingException wrong) {
      throw new InvalidUseException(
          "encoding: actual=text that "
              + options.charset().name()
              + " does not have, expected=an encoding such as utf-8; change --encoding, at="
              + path,
          wrong);
    } catch (IOException failure) {
      throw FileBytes.failed("write", path, failure);
    }
  }

  private String head(List<Field> fields, ConversionRun work) {
    StringBuilder text = new StringBuilder();
    if (!options.hasHeader()) {
      return "";
    }
    header(fields.stream().map(Field::name).toList(), text);
    List<String> units = fields.stream().map(field -> field.unit.orElse("")).toList();
    boolean isWanted = options.unitsRow().orElse(true);
    if (isWanted && units.stream().anyMatch(unit -> !unit.isEmpty())) {
      row(units, text);
      if (!units.stream().allMatch(unit -> unit.isEmpty() || UnitNames.isUnit(unit))) {
        work.note("the row below the names has the units; --units-row reads it as such");
      }
    }
    return text.toString();
  }

  /** Reads and formats blocks of rows, several at a time. */
  private List<String> blocks(List<Field> fields, Block all, long most, ConversionRun work) {
    List<Block> blocks = new ArrayList<>();
    for (long at = 0; at < all.count; at += most) {
      blocks.add(new Block(blocks.size(), all.first + at, Math.min(most, all.count - at)));
    }
    String[] texts = new String[blocks.size()];
    work.parallel(
        blocks,
        Integer.MAX_VALUE,
        block -> {
          StringBuilder text = new StringBuilder();
          rows(fields, block.first, block.count, text);
          texts[block.number] = text.toString();
        });
    return List.of(texts);
  }

  private static long rowsOf(Variable variable) {
    return variable.space().rank() == 2
        ? variable.space().dims()[0]
        : variable.space().elementCount();
  }

  private static long rowBytes(Variable variable) {
    long elements = variable.space().rank() == 2 ? variable.space().dims()[1] : 1;
    return elements * variable.type().memorySize();
  }

  // --- columns ---

  private static List<Field> fields(GroupNode root, Path path, ConversionRun work) {
    List<Variable> variables = root.variables();
    if (variables.size() == 1
        && variables.getFirst().space().rank() == 1
        && variables.getFirst().type() instanceof CompoundType type) {
      return members(variables.getFirst(), type, work);
    }
    if (variables.size() == 1 && variables.getFirst().space().rank() == 2) {
      return matrix(variables.getFirst(), work);
    }
    List<Field> fields = new ArrayList<>();
    long rows = variables.isEmpty() ? 0 : variables.getFirst().space().elementCount();
    for (Variable variable : variables) {
      boolean fits = variable.space().rank() == 1 && variable.space().elementCount() == rows;
      if (!fits || !isKnown(variable.type())) {
        throw noTable(variable, "one dimension, " + rows + " elements");
      }
      reportLostDigits(variable.type(), variable.name(), variable.path(), work);
      fields.add(
          new Field(
              variable.name(),
              variable,
              ElementCodec.of(variable.type().inMemory()),
              0,
              unit(variable, work)));
    }
    if (fields.isEmpty()) {
      throw new UnsupportedFeatureException(
          "table: actual=no dataset, expected=a dataset of a compound type or columns, at=" + path);
    }
    return fields;
  }

  private static UnsupportedFeatureException noTable(Variable variable, String expected) {
    return new UnsupportedFeatureException(
        "table: actual="
            + variable.space()
            + " of "
            + variable.type().describe()
            + ", expected="
            + expected
            + ", of numbers, booleans or text; choose a dataset with --path, at="
            + variable.path());
  }

  /** A variable of two dimensions has a column for each element of a row, named by its index. */
  private static List<Field> matrix(Variable variable, ConversionRun work) {
    long width = variable.space().dims()[1];
    if (!isKnown(variable.type()) || width == 0 || width > RowCells.MAX_COLUMNS) {
      throw noTable(variable, "one or two dimensions, 1 to " + RowCells.MAX_COLUMNS + " columns");
    }
    reportLostDigits(variable.type(), variable.name(), variable.path(), work);
    Optional<String> unit = unit(variable, work);
    ElementCodec codec = ElementCodec.of(variable.type().inMemory());
    int size = variable.type().memorySize();
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      fields.add(new Field(Integer.toString(i), variable, codec, i * size, unit));
    }
    return fields;
  }

  private static Optional<String> unit(Variable variable, ConversionRun work) {
    Optional<String> unit = Optional.empty();
    for (AttributeValue attribute : variable.traits().attributes()) {
      if (attribute.name().equals(TableSource.UNITS) && attribute.text().isPresent()) {
        unit = attribute.text();
      } else {
        work.reportLoss("the attribute " + attribute.name(), variable.path());
      }
    }
    return unit;
  }

  private static List<Field> members(Variable variable, CompoundType type, ConversionRun work) {
    List<Optional<String>> units = new ArrayList<>();
    for (AttributeValue attribute : variable.traits().attributes()) {
      boolean isUnits =
          attribute.name().equals(TableSource.UNITS)
              && attribute.space().elementCount() == type.members().size()
              && (attribute.type() instanceof VlenStringType
                  || attribute.type() instanceof StringType);
      if (!isUnits) {
        work.reportLoss("the attribute " + attribute.name(), variable.path());
        continue;
      }
      for (int i = 0; i < type.members().size(); i++) {
        units.add(Optional.ofNullable((String) attribute.element(i)));
      }
    }
    List<Field> fields = new ArrayList<>();
    List<CompoundType.Member> members = ((CompoundType) type.inMemory()).members();
    for (int i = 0; i < members.size(); i++) {
      CompoundType.Member member = members.get(i);
      if (!isKnown(member.type())) {
        work.reportLoss(
            "the member " + member.name() + " of type " + member.type().describe(),
            variable.path());
        continue;
      }
      reportLostDigits(member.type(), member.name(), variable.path(), work);
      fields.add(
          new Field(
              member.name(),
              variable,
              ElementCodec.of(member.type()),
              member.offset(),
              units.isEmpty() ? Optional.empty() : units.get(i)));
    }
    return fields;
  }

  /** Cells are numbers of double precision. */
  private static void reportLostDigits(
      Datatype type, String name, String path, ConversionRun work) {
    boolean isWide =
        type instanceof FloatType real
            && real.order() != Endian.VAX // whose least numbers alone are beyond
            && !real.isWithin(Datatypes.F64LE);
    if (isWide) {
      work.reportLoss(
          "the column " + name + " of " + type.describe() + ", beyond double precision", path);
    }
  }

  private static boolean isKnown(Datatype type) {
    return switch (type) {
      case IntegerType _, FloatType _, StringType _, VlenStringType _ -> true;
      case EnumType t -> t.isBoolean();
      default -> false;
    };
  }

  // --- rows ---

  private void rows(List<Field> fields, long first, long count, StringBuilder text) {
    List<DataBuffer> buffers = new ArrayList<>();
    Variable last = null;
    for (Field field : fields) {
      if (field.variable != last) {
        DataBuffer buffer = read(field.variable, first, count);
        buffers.add(buffer);
        last = field.variable;
      } else {
        buffers.add(buffers.getLast());
      }
    }
    List<String> cells = new ArrayList<>();
    for (int r = 0; r < count; r++) {
      cells.clear();
      for (int i = 0; i < fields.size(); i++) {
        Field field = fields.get(i);
        long at = r * rowBytes(field.variable) + field.offset;
        cells.add(cell(field, buffers.get(i), at));
      }
      row(cells, text);
    }
  }

  private static DataBuffer read(Variable variable, long first, long count) {
    long[] start = new long[variable.space().rank()];
    long[] size = variable.space().dims().clone();
    start[0] = first;
    size[0] = count;
    DataBuffer buffer = DataBuffer.allocate(variable.type(), Dataspace.product(size));
    variable.elements().read(start, size, buffer);
    return buffer;
  }

  private static String cell(Field field, DataBuffer buffer, long at) {
    VlenHeap heap = buffer.heap();
    if (field.codec.type() instanceof EnumType) {
      return field.codec.decodeAs(buffer.elements(), at, heap, Boolean.class).toString();
    }
    Object value = field.codec.decode(buffer.elements(), at, heap);
    return switch (value) {
      case Double d when d.isNaN() -> "nan";
      case Float f when f.isNaN() -> "nan";
      case Double d when d.isInfinite() -> d > 0 ? "inf" : "-inf";
      case Float f when f.isInfinite() -> f > 0 ? "inf" : "-inf";
      case null -> "";
      default -> value.toString();
    };
  }

  /** Quotes a first name with which the line would be a comment, or blank. */
  private void header(List<String> names, StringBuilder text) {
    String first = names.getFirst().stripLeading();
    row(names, text);
    boolean isQuoted = text.charAt(0) == '"';
    boolean isSkipped = first.isEmpty() || first.charAt(0) == TablePreamble.COMMENT;
    if (isSkipped && !isQuoted) {
      text.insert(names.getFirst().length(), '"').insert(0, '"');
    }
  }

  private void row(List<String> cells, StringBuilder text) {
    boolean isBlank = cells.size() == 1 && cells.getFirst().isBlank();
    for (int i = 0; i < cells.size(); i++) {
      if (i > 0) {
        text.append(separator);
      }
      quote(cells.get(i), isBlank, text);
    }
    text.append("\r\n");
  }

  /**
   * Blank lines are no rows to readers, so that the only cell of a row is quoted if it is blank.
   */
  private void quote(String cell, boolean isBlank, StringBuilder text) {
    boolean plain =
        !isBlank
            && cell.indexOf(separator) < 0
            && cell.indexOf('"') < 0
            && cell.indexOf('\n') < 0
            && cell.indexOf('\r') < 0;
    if (plain) {
      text.append(cell);
    } else {
      text.append('"').append(cell.replace("\"", "\"\"")).append('"');
    }
  }
}
