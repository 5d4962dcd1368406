package org.hyperslab.convert.rewrite;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.Boxes;
import org.hyperslab.convert.model.ElementReader;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.convert.Converter;

/**
 * Reads enumerations over big-endian integers as ones over little-endian integers, because netCDF-C
 * (4.9) does not open a file with the former. Values without a name are kept.
 *
 * @param original reads the elements as they are stored
 * @param from their type, with integers in place of enumerations
 * @param to the same type with little-endian integers
 */
public record LittleEnums(ElementReader original, Datatype from, Datatype to)
    implements ElementReader {

  /** Returns a variable without such enumerations; the given one if it has none. */
  public static Variable of(Variable variable) {
    Datatype type = variable.type();
    Datatype little = little(type);
    if (little.equals(type) || type.hasOutOfLineParts()) {
      return variable;
    }
    List<AttributeValue> attributes = new ArrayList<>(variable.traits().attributes());
    attributes.replaceAll(LittleEnums::of);
    Optional<DataBuffer> fill = variable.traits().fill();
    Variable.Traits traits = variable.traits().withAttributes(attributes);
    return new Variable(
        variable.path(),
        little,
        variable.space(),
        fill.map(one -> traits.withFill(converted(one, 1, type, little))).orElse(traits),
        new LittleEnums(variable.elements(), integers(type), integers(little)));
  }

  /** Returns an attribute without such enumerations. */
  public static AttributeValue of(AttributeValue attribute) {
    Datatype type = attribute.type();
    Datatype little = little(type);
    if (little.equals(type) || type.hasOutOfLineParts()) {
      return attribute;
    }
    long count = attribute.space().elementCount();
    DataBuffer data = converted(attribute.data(), count, type, little);
    return new AttributeValue(attribute.name(), little, attribute.space(), data);
  }

  private static DataBuffer converted(DataBuffer data, long count, Datatype from, Datatype to) {
    DataBuffer result = DataBuffer.allocate(to, count);
    MemorySegment.copy(data.elements(), 0, result.elements(), 0, count * to.memorySize());
    convert(integers(from), integers(to), result.elements(), count);
    return result;
  }

  private static void convert(Datatype from, Datatype to, MemorySegment elements, long count) {
    Converter.between(from.inMemory(), to.inMemory())
        .open()
        .convert(elements, 0, elements, 0, count);
  }

  /** Returns a type with little-endian integers under its enumerations. */
  public static Datatype little(Datatype type) {
    return switch (type) {
      case EnumType t when t.base().order() == Endian.BIG && t.base().fillsElement() ->
          new EnumType(IntegerType.of(t.size(), Endian.LITTLE, t.base().signed()), t.constants());
      case ArrayType t -> new ArrayType(t.dimensions(), little(t.base()));
      case CompoundType t -> {
        CompoundType.Builder builder = CompoundType.builder();
        t.members().forEach(m -> builder.member(m.name(), m.offset(), little(m.type())));
        yield builder.size(t.size()).build();
      }
      default -> type;
    };
  }

  /** Conversion of enumerations goes by names, which some values do not have. */
  private static Datatype integers(Datatype type) {
    return switch (type) {
      case EnumType t -> t.base();
      case ArrayType t -> new ArrayType(t.dimensions(), integers(t.base()));
      case CompoundType t -> {
        CompoundType.Builder builder = CompoundType.builder();
        t.members().forEach(m -> builder.member(m.name(), m.offset(), integers(m.type())));
        yield builder.size(t.size()).build();
      }
      default -> type;
    };
  }

  @Override
  public void read(long[] start, long[] count, DataBuffer target) {
    original.read(start, count, target);
    convert(from, to, target.elements(), Dataspace.product(count));
  }

  @Override
  public long[] block(long[] dims, long most) {
    return original.block(dims, most);
  }

  @Override
  public Optional<List<Boxes.Box>> stored() {
    return original.stored();
  }
}
