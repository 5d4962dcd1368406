package org.hyperslab.convert;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.NameBytes;
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
final class TableTarget implements TargetFile {

  private static final long MAX_ROWS_AT_A_TIME = 1024;

  private final char separator;

  /**
   * Creates the target.
   *
   * @param separator the separator of cells
   */
  public TableTarget(char separator) {
    this.separator = separator;
  }

  /** A column with the position and type of its elements. */
  private record Field(
      String name, Variable variable, ElementCodec codec, int offset, Optional<String> unit) {}

  @Override
  public void write(GroupNode root, Path path, ConversionRun work) {
    root.attributes().forEach(a -> work.reportLoss("the attribute " + a.name(), root.path()));
    root.groups().forEach(group -> work.reportLoss("a group", group.path()));
    List<Field> fields = fields(root, path, work);
    try (FileBytes out = FileBytes.create(path)) {
      StringBuilder text = new StringBuilder();
      header(fields.stream().map(Field::name).toList(), text);
      if (fields.stream().anyMatch(field -> field.unit.isPresent())) {
        row(fields.stream().map(field -> field.unit.orElse("")).toList(), text);
      }
      long rows = fields.getFirst().variable.space().elementCount();
      long rowBytes =
          fields.stream()
              .map(Field::variable)
              .distinct()
              .mapToLong(variable -> variable.type().memorySize())
              .sum();
      long most = Math.clamp(work.memoryBytes() / 8 / rowBytes, 1, MAX_ROWS_AT_A_TIME);
      for (long first = 0; first < rows; first += most) {
        rows(fields, first, Math.min(most, rows - first), text);
        flush(text, out, path);
        work.advance(rowBytes * Math.min(most, rows - first));
      }
      flush(text, out, path);
    }
  }

  private static void flush(StringBuilder text, FileBytes out, Path path) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(NameBytes.encode(text.toString()));
      while (bytes.hasRemaining()) {
        out.channel().write(bytes);
      }
      text.setLength(0);
    } catch (IOException failure) {
      throw new StorageException(
          "write: actual=" + failure + ", expected=success, at=" + path, failure);
    }
  }

  // --- columns ---

  private static List<Field> fields(GroupNode root, Path path, ConversionRun work) {
    List<Variable> variables = root.variables();
    if (variables.size() == 1
        && variables.getFirst().space().rank() == 1
        && variables.getFirst().type() instanceof CompoundType type) {
      return members(variables.getFirst(), type, work);
    }
    List<Field> fields = new ArrayList<>();
    long rows = variables.isEmpty() ? 0 : variables.getFirst().space().elementCount();
    for (Variable variable : variables) {
      boolean fits = variable.space().rank() == 1 && variable.space().elementCount() == rows;
      if (!fits || !isKnown(variable.type())) {
        throw new UnsupportedFeatureException(
            "table: actual="
                + variable.space()
                + " of "
                + variable.type().describe()
                + ", expected=one dimension, "
                + rows
                + " elements, of numbers, booleans or text; choose a dataset with --path, at="
                + variable.path());
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
        DataBuffer buffer = DataBuffer.allocate(field.variable.type(), count);
        field.variable.elements().read(new long[] {first}, new long[] {count}, buffer);
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
        long at = (long) r * field.variable.type().memorySize() + field.offset;
        cells.add(cell(field, buffers.get(i), at));
      }
      row(cells, text);
    }
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
    for (int i = 0; i < cells.size(); i++) {
      if (i > 0) {
        text.append(separator);
      }
      quote(cells.get(i), text);
    }
    text.append("\r\n");
  }

  private void quote(String cell, StringBuilder text) {
    boolean plain =
        cell.indexOf(separator) < 0
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
