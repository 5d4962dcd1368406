package org.hyperslab.netcdf.cdl;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Memory;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.netcdf.NetcdfGroup;
import org.hyperslab.netcdf.NetcdfVariable;
import org.hyperslab.netcdf.VariableOptions;
import org.jspecify.annotations.Nullable;

/**
 * Creates a variable, and writes its elements.
 *
 * <p>Thread rule: confined to one thread.
 */
final class VariableBuilder {

  private static final String FILL = "_FillValue";

  private final CdlDraft.Variable draft;
  private final NetcdfGroup group;

  VariableBuilder(CdlDraft.Variable draft, NetcdfGroup group) {
    this.draft = draft;
    this.group = group;
  }

  // --- definition ---

  void define() {
    String[] axes = draft.dimensions.stream().map(this::reference).toArray(String[]::new);
    VariableOptions options = CdlLexer.atLine(draft.line, this::options);
    NetcdfVariable made =
        CdlLexer.atLine(draft.line, () -> group.createVariable(draft.name, type(), options, axes));
    boolean isFirst = true;
    for (CdlDraft.Attribute attribute : draft.attributes.values()) {
      if (AttributeBuilder.isOfStorage(attribute.name())) {
        continue;
      }
      if (!attribute.name().equals(FILL)) {
        new AttributeBuilder(attribute, made).set(Optional.empty());
      } else if (!isFirst) {
        moveToEnd(made.dataset());
      }
      isFirst = false;
    }
  }

  /** The nearest dimension of a name is meant, as netCDF's model looks them up. */
  private String reference(CdlDraft.Dimension dimension) {
    for (CdlDraft.Group scope = draft.group; scope != null; scope = scope.parent) {
      boolean isHere = scope == dimension.group();
      if (isHere) {
        return dimension.name();
      }
      if (scope.dimensions.containsKey(dimension.name())) {
        break;
      }
    }
    throw CdlLexer.wrong(
        "the dimension "
            + dimension.group().path()
            + "/"
            + dimension.name()
            + " for "
            + draft.path(),
        "a dimension of this group or one above that no other of its name hides",
        draft.line);
  }

  /** The variable has its fill value from the beginning; the attribute has its place. */
  private static void moveToEnd(Dataset dataset) {
    Attribute attribute = dataset.attribute(FILL);
    Datatype type = attribute.type();
    Dataspace space = attribute.space();
    DataBuffer value = DataBuffer.allocate(type, 1);
    attribute.read(type.inMemory(), value);
    dataset.deleteAttribute(FILL);
    Optional<CommittedType> committed = dataset.committedType();
    Attribute moved =
        committed.isPresent() && committed.get().datatype().equals(type)
            ? dataset.createAttribute(FILL, committed.get(), space)
            : dataset.createAttribute(FILL, type, space);
    moved.write(type.inMemory(), value);
  }

  private Datatype type() {
    String order = text("_Endianness").orElse("");
    if (!order.equals("big")) {
      return draft.type;
    }
    return switch (draft.type) {
      case IntegerType number -> IntegerType.of(number.size(), Endian.BIG, number.signed());
      case FloatType number -> number.withOrder(Endian.BIG);
      default -> draft.type;
    };
  }

  private VariableOptions options() {
    VariableOptions options = VariableOptions.DEFAULT;
    long[] chunks = numbers("_ChunkSizes");
    boolean isArray = !draft.dimensions.isEmpty();
    if (chunks.length > 0 && isArray) {
      options = options.withChunks(chunks);
    } else if (isArray && text("_Storage").filter("chunked"::equals).isPresent()) {
      options =
          options.withChunks(
              draft.dimensions.stream()
                  .mapToLong(axis -> axis.isUnlimited() ? 1 : Math.max(1, axis.length()))
                  .toArray());
    }
    if (isArray) {
      options = withFilters(options);
    }
    Optional<Object> fill = fillValue();
    if (fill.isPresent()) {
      return options.withFill(fill.get());
    }
    return isTrue("_NoFill") ? options.withoutFill() : options;
  }

  private VariableOptions withFilters(VariableOptions plain) {
    VariableOptions options = plain;
    if (isTrue("_Shuffle")) {
      options = options.withShuffle();
    }
    long[] level = numbers("_DeflateLevel");
    if (level.length > 0) {
      options = options.withDeflate(Math.clamp(level[0], -1, Integer.MAX_VALUE));
    }
    for (String filter : text("_Filter").map(all -> all.split("\\|")).orElse(new String[0])) {
      options = options.withFilter(filter(filter));
    }
    return isTrue("_Fletcher32") ? options.withFletcher32() : options;
  }

  private FilterSpec filter(String text) {
    try {
      List<Integer> numbers =
          Arrays.stream(text.split(",")).map(String::strip).map(Integer::parseUnsignedInt).toList();
      return new FilterSpec(numbers.getFirst(), false, "", numbers.subList(1, numbers.size()));
    } catch (NumberFormatException wrong) {
      throw CdlLexer.wrong(
          "_Filter \"" + text + "\" for " + draft.path(), "numbers, such as \"307,9\"", draft.line);
    }
  }

  private ConstantEncoder encoder() {
    return new ConstantEncoder(draft.path(), draft.dataLine);
  }

  private ConstantEncoder encoder(CdlDraft.Attribute attribute) {
    return new ConstantEncoder(draft.path() + " " + attribute.name(), attribute.line());
  }

  private Optional<String> text(String name) {
    return draft
        .attribute(name)
        .map(attribute -> NameBytes.decode(encoder(attribute).joined(attribute.values())));
  }

  private boolean isTrue(String name) {
    return draft
        .attribute(name)
        .map(attribute ->
            switch (attribute.values().isEmpty() ? null : attribute.values().getFirst()) {
              case CdlConstant.Whole whole -> whole.value().signum() != 0;
              case CdlConstant.Name word -> word.name().equalsIgnoreCase("true");
              case null -> false;
              default ->
                  NameBytes.decode(encoder(attribute).joined(attribute.values()))
                      .equalsIgnoreCase("true");
            })
        .orElse(false);
  }

  private long[] numbers(String name) {
    return draft
        .attribute(name)
        .map(attribute ->
            attribute.values().stream()
                .mapToLong(value -> {
                  if (value instanceof CdlConstant.Whole whole
                      && whole.value().bitLength() < Long.SIZE) {
                    return whole.value().longValue();
                  }
                  throw encoder(attribute).wrong("another value", "whole numbers");
                })
                .toArray())
        .orElse(new long[0]);
  }

  /** Returns the fill value as a Java object. */
  private Optional<Object> fillValue() {
    return draft
        .attribute(FILL)
        .map(attribute -> {
          if (CdlGenerator.isCharacters(draft.type)) {
            byte[] bytes = encoder(attribute).joined(attribute.values());
            return bytes.length == 1 ? (Object) bytes[0] : NameBytes.decode(bytes);
          }
          DataBuffer one = fillElement(attribute);
          ElementCodec codec = ElementCodec.of(draft.type.inMemory());
          return codec.decode(one.elements(), 0, one.heap());
        });
  }

  private DataBuffer fillElement(CdlDraft.Attribute attribute) {
    if (attribute.values().size() != 1) {
      throw encoder(attribute).wrong(attribute.values().size() + " values", "one");
    }
    return encoder(attribute).encode(attribute.values(), draft.type.inMemory(), null);
  }

  // --- elements ---

  void fill() {
    List<CdlConstant> values = draft.data.orElse(List.of());
    if (!values.isEmpty()) {
      CdlLexer.atLine(draft.dataLine, () -> fill(group.variable(draft.name), values));
    }
  }

  private NetcdfVariable fill(NetcdfVariable variable, List<CdlConstant> values) {
    if (draft.dimensions.isEmpty()) {
      if (values.size() > 1) {
        throw encoder().wrong(values.size() + " values", "one");
      }
      boolean isText = CdlGenerator.isCharacters(draft.type);
      List<CdlConstant> one =
          isText && encoder().joined(values).length == 0 ? List.of(new CdlConstant.Fill()) : values;
      variable.write(memory(one, 1));
    } else {
      fill(variable, values, new long[draft.dimensions.size()], 0);
    }
    return variable;
  }

  /**
   * Writes values of the axes from one on.
   *
   * @param prefix the indexes of the axes before
   */
  private void fill(NetcdfVariable variable, List<CdlConstant> values, long[] prefix, int axis) {
    int next = axis + 1;
    while (next < prefix.length && !draft.dimensions.get(next).isUnlimited()) {
      next++;
    }
    long inner = 1;
    for (int i = axis + 1; i < next; i++) {
      inner = multiplied(inner, draft.dimensions.get(i).length());
    }
    CdlDraft.Dimension first = draft.dimensions.get(axis);
    long most = first.isUnlimited() ? Long.MAX_VALUE : multiplied(inner, first.length());
    if (next == prefix.length) {
      leaves(variable, values, prefix, axis, most);
      return;
    }
    if (values.size() > most) {
      throw encoder().wrong(values.size() + " lists", "at most " + most);
    }
    for (int i = 0; i < values.size(); i++) {
      if (!(values.get(i) instanceof CdlConstant.Items items)) {
        throw encoder().wrong("a value", "braces around the values of an unlimited dimension");
      }
      long[] at = prefix.clone();
      unravel(i, at, axis, next);
      fill(variable, items.values(), at, next);
    }
  }

  private static long multiplied(long a, long b) {
    return b != 0 && a > Long.MAX_VALUE / b ? Long.MAX_VALUE : a * b;
  }

  /** Sets the indexes of some axes to those of an element, counted in row-major order. */
  private void unravel(long number, long[] at, int axis, int end) {
    long rest = number;
    for (int i = end - 1; i > axis; i--) {
      long length = draft.dimensions.get(i).length();
      at[i] = rest % length;
      rest /= length;
    }
    at[axis] = rest;
  }

  private void leaves(
      NetcdfVariable variable, List<CdlConstant> values, long[] prefix, int axis, long most) {
    int rank = prefix.length;
    Memory memory;
    if (CdlGenerator.isCharacters(draft.type)) {
      CdlDraft.Dimension last = draft.dimensions.getLast();
      long row = rank == 1 || last.isUnlimited() ? 1 : Math.max(1, last.length());
      byte[] bytes = CharacterRows.of(values, row, most, encoder());
      memory = Memory.of(MemorySegment.ofArray(bytes), draft.type, bytes.length);
    } else {
      if (values.size() > most) {
        throw encoder().wrong(values.size() + " values", "at most " + most);
      }
      memory = memory(values, values.size());
    }
    box(variable, memory, prefix.clone(), axis, new long[] {0, memory.space().elementCount()});
  }

  /** Writes a range of elements of the memory from the beginning of the axes from one on. */
  private void box(NetcdfVariable variable, Memory memory, long[] origin, int axis, long[] range) {
    long count = range[1] - range[0];
    if (count == 0) {
      return;
    }
    long[] shape = new long[origin.length];
    Arrays.fill(shape, 1);
    long inner = 1;
    for (int i = axis + 1; i < shape.length; i++) {
      inner *= draft.dimensions.get(i).length();
    }
    long whole = count / inner;
    if (whole > 0) {
      for (int i = axis + 1; i < shape.length; i++) {
        shape[i] = draft.dimensions.get(i).length();
      }
      shape[axis] = whole;
      variable.section(origin, shape).write(part(memory, range[0], whole * inner));
    }
    if (count % inner > 0) {
      origin[axis] += whole;
      box(variable, memory, origin, axis + 1, new long[] {range[0] + whole * inner, range[1]});
    }
  }

  private static Memory part(Memory memory, long from, long count) {
    int size = memory.type().size();
    MemorySegment part = memory.data().elements().asSlice(from * size, count * size);
    return new Memory(
        memory.type(),
        Dataspace.simple(count),
        Selection.all(),
        new DataBuffer(part, memory.data().heap()));
  }

  private Memory memory(List<CdlConstant> values, int count) {
    Datatype memory = draft.type.inMemory();
    DataBuffer fill = draft.attribute(FILL).map(this::fillOf).orElse(null);
    DataBuffer data = encoder().encode(values, memory, fill);
    return new Memory(memory, Dataspace.simple(count), Selection.all(), data);
  }

  private @Nullable DataBuffer fillOf(CdlDraft.Attribute attribute) {
    return CdlGenerator.isCharacters(draft.type) ? null : fillElement(attribute);
  }
}
