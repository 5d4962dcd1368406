package org.hyperslab.convert.classic;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.ClassicType;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.Dimension;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.convert.rewrite.CharArrays;
import org.hyperslab.convert.rewrite.FixedText;
import org.hyperslab.convert.rewrite.MissingValues;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;

/**
 * Plans the content of a classic file: the dimensions, attributes and variables of a tree that it
 * can hold. Everything else is reported to {@link ConversionRun#reportLoss}.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class ClassicPlan {

  private static final int MAX_NAME_BYTES = 256;

  private final GroupNode root;
  private final ConversionRun work;

  /** The numbers of dimensions, by path, or by length for dimensions without a name. */
  private final Map<String, Integer> numbers = new LinkedHashMap<>();

  private final List<ClassicHeader.Axis> axes = new ArrayList<>();
  private final List<Long> lengths = new ArrayList<>();
  private final List<ClassicHeader.Array> arrays = new ArrayList<>();
  private final List<Variable> variables = new ArrayList<>();
  private Optional<Dimension> record = Optional.empty();
  private int unnamed;

  ClassicPlan(GroupNode root, ConversionRun work) {
    this.root = root;
    this.work = work;
  }

  /** Returns the variables to write, in the order of the header. */
  List<Variable> variables() {
    return variables;
  }

  /** Returns the header without positions, in the form of CDF-5. */
  ClassicHeader header() {
    root.groups()
        .forEach(group -> ClassicLosses.report("the group " + group.name(), group.path(), work));
    record = recordOf(root);
    root.dimensions().stream().filter(this::isWritable).forEach(each -> number(each, each.path()));
    List<ClassicHeader.Text> attributes =
        attributes(root.attributes(), root.path(), Optional.empty());
    root.variables().forEach(this::add);
    long records = record.map(Dimension::length).orElse(0L);
    return new ClassicHeader(5, records, axes, attributes, arrays);
  }

  /**
   * Returns the dimension of records: the first unlimited dimension that is used only as the first
   * dimension of variables. All others need a fixed length in the classic model.
   *
   * @param root the group with all variables
   */
  static Optional<Dimension> recordOf(GroupNode root) {
    List<Dimension> inner = new ArrayList<>();
    List<Dimension> first = new ArrayList<>();
    root.dimensions().stream().filter(Dimension::unlimited).forEach(first::add);
    for (Variable variable : root.variables()) {
      List<Dimension> dimensions = dimensionsOf(variable);
      dimensions.stream().skip(1).forEach(inner::add);
      dimensions.stream().limit(1).filter(Dimension::unlimited).forEach(first::add);
    }
    return first.stream().filter(dimension -> !inner.contains(dimension)).findFirst();
  }

  /** Returns a dimension for each axis of a variable; those without a scale have an empty path. */
  static List<Dimension> dimensionsOf(Variable variable) {
    if (!variable.traits().dimensions().isEmpty()) {
      return variable.traits().dimensions();
    }
    List<Dimension> unnamed = new ArrayList<>();
    Dataspace space = variable.space();
    for (int axis = 0; axis < space.rank(); axis++) {
      unnamed.add(new Dimension("", space.dim(axis), space.maxDim(axis) == Dataspace.UNLIMITED));
    }
    return unnamed;
  }

  /** Returns whether a dimension can be written; only the one of records can have the length 0. */
  private boolean hasLength(Dimension dimension) {
    return dimension.length() > 0 || (record.isPresent() && record.get().equals(dimension));
  }

  private boolean isWritable(Dimension dimension) {
    if (!hasLength(dimension)) {
      String path = dimension.path();
      ClassicLosses.report("the dimension " + path + " of length 0", path, work);
    }
    return hasLength(dimension);
  }

  /**
   * Returns the number of a dimension, and defines the dimension if it is new.
   *
   * @param dimension the dimension
   * @param user the path of what has it: a variable, or the dimension itself
   */
  private int number(Dimension dimension, String user) {
    boolean isRecord = record.isPresent() && record.get().equals(dimension);
    String key =
        dimension.path().isEmpty() ? (isRecord ? "*" : "#" + dimension.length()) : dimension.path();
    Integer known = numbers.get(key);
    if (known != null) {
      return known;
    }
    if (dimension.unlimited() && !isRecord) {
      String name = dimension.path().isEmpty() ? "without a name" : dimension.path();
      ClassicLosses.report(
          "the dimension " + name + ", which may grow, beside the one of records", user, work);
    }
    String name = dimension.path().isEmpty() ? unusedName() : requireName(dimension.name());
    if (axes.stream().anyMatch(axis -> axis.name().equals(name))) {
      throw new UnsupportedFeatureException(
          "classic netCDF: actual=two dimensions \"" + name + "\", expected=one name each");
    }
    axes.add(new ClassicHeader.Axis(name, isRecord ? 0 : dimension.length()));
    lengths.add(dimension.length());
    numbers.put(key, axes.size() - 1);
    return axes.size() - 1;
  }

  /** Names dimensions without a name as netCDF-C does. */
  private String unusedName() {
    String name = "phony_dim_" + unnamed++;
    boolean taken = root.dimensions().stream().anyMatch(dimension -> dimension.name().equals(name));
    return taken ? unusedName() : name;
  }

  /** Returns whether the classic model allows a name. */
  private static boolean isName(String name) {
    byte[] utf8 = NameBytes.encode(name);
    boolean printable = name.chars().allMatch(c -> c >= ' ' && c != 127 && c != '/');
    char first = name.charAt(0);
    boolean starts = Character.isLetterOrDigit(first) || first == '_' || first >= 128;
    return printable
        && starts
        && NameBytes.isUtf8(name)
        && !name.endsWith(" ")
        && utf8.length <= MAX_NAME_BYTES;
  }

  private static String requireName(String name) {
    if (!isName(name)) {
      throw new UnsupportedFeatureException(
          "classic netCDF: actual=the name \""
              + name
              + "\", expected=UTF-8, a letter, digit or _ first, printable, up to "
              + MAX_NAME_BYTES
              + " bytes");
    }
    return name;
  }

  private void add(Variable original) {
    if (!isName(original.name())) {
      work.reportLoss("a variable whose name netCDF does not allow", original.path());
      return;
    }
    if (original.space().kind() == Dataspace.Kind.NULL) {
      work.reportLoss(Variable.NULL_SPACE, original.path());
      return;
    }
    Optional<Variable> fixed = fixed(original);
    if (fixed.isEmpty()) {
      return;
    }
    Variable variable = CharArrays.of(fixed.get(), root.dimensions(), work);
    String whose = "the variable " + variable.name();
    Optional<ClassicType> type = type(whose, variable.type(), variable.path());
    if (type.isEmpty()) {
      ClassicLosses.reportType(whose, variable.type(), variable.path(), work);
      return;
    }
    if (!dimensionsOf(variable).stream().allMatch(this::hasLength)) {
      ClassicLosses.reportEmpty(variable, work);
      return;
    }
    List<Integer> numbersOfAxes = new ArrayList<>();
    for (Dimension dimension : dimensionsOf(variable)) {
      numbersOfAxes.add(number(dimension, variable.path()));
    }
    arrays.add(
        new ClassicHeader.Array(
            variable.name(),
            numbersOfAxes,
            attributes(variable.traits().attributes(), variable.path(), type),
            type.get(),
            0));
    variables.add(variable);
  }

  /** Strings of variable length get the length of the longest. */
  private Optional<Variable> fixed(Variable variable) {
    return variable.type() instanceof VlenStringType
        ? FixedText.ofBytes(variable, work)
        : Optional.of(variable);
  }

  /** Returns the type of a variable or an attribute, which reports name; empty if there is none. */
  private Optional<ClassicType> type(String whose, Datatype type, String path) {
    return switch (type) {
      case EnumType t -> {
        ClassicLosses.reportNames(whose, t, path, work);
        yield ClassicType.of(t.base());
      }
      case BitfieldType t when t.fillsElement() -> {
        work.reportLoss(whose + " of a bitfield, an unsigned integer in netCDF", path);
        yield ClassicType.of(IntegerType.of(t.size(), t.order(), false));
      }
      default -> ClassicType.of(type);
    };
  }

  // --- attributes ---

  /** Returns attributes of the root group, or those of a variable of a type. */
  private List<ClassicHeader.Text> attributes(
      List<AttributeValue> attributes, String path, Optional<ClassicType> variable) {
    List<ClassicHeader.Text> texts = new ArrayList<>();
    for (AttributeValue attribute : attributes) {
      Optional<ClassicHeader.Text> text =
          attribute(attribute, path).flatMap(held -> ofVariable(attribute, held, path, variable));
      text.ifPresent(texts::add);
    }
    return texts;
  }

  /** The value of missing elements is one element of the variable's type; others are no files. */
  private Optional<ClassicHeader.Text> ofVariable(
      AttributeValue given, ClassicHeader.Text text, String path, Optional<ClassicType> variable) {
    if (variable.isEmpty() || !text.name().equals(MissingValues.NAME)) {
      return Optional.of(text);
    }
    if (given.type().equals(CharArrays.CHARACTER) && variable.get() == ClassicType.CHAR) {
      byte[] one = given.data().elements().asSlice(0, 1).toArray(ValueLayout.JAVA_BYTE);
      return Optional.of(new ClassicHeader.Text(text.name(), ClassicType.CHAR, one));
    }
    if (text.type() == variable.get() && text.values().length == text.type().size()) {
      return Optional.of(text);
    }
    work.reportLoss(
        "the attribute "
            + text.name()
            + ", which in netCDF is one element of the variable's type "
            + variable.get(),
        path);
    return Optional.empty();
  }

  private Optional<ClassicHeader.Text> attribute(AttributeValue attribute, String path) {
    String name = attribute.name();
    String whose = "the attribute " + name;
    if (!isName(name)) {
      work.reportLoss("the attribute \"" + name + "\", whose name netCDF does not allow", path);
      return Optional.empty();
    }
    Dataspace space = attribute.space();
    boolean isText =
        attribute.type() instanceof StringType || attribute.type() instanceof VlenStringType;
    if (isText && (space.elementCount() == 1 || attribute.type().size() > 1)) {
      if (space.elementCount() > 1) {
        ClassicLosses.reportStrings(attribute, path, work);
        return Optional.empty();
      }
      return Optional.of(new ClassicHeader.Text(name, ClassicType.CHAR, text(attribute)));
    }
    Optional<ClassicType> type = type(whose, attribute.type(), path);
    if (type.isEmpty()) {
      ClassicLosses.reportType(whose, attribute.type(), path, work);
      return Optional.empty();
    }
    if (space.rank() > 1) {
      work.reportLoss("the shape of the attribute " + name, path);
    }
    byte[] values = new byte[Math.toIntExact(space.elementCount() * type.get().size())];
    MemorySegment.copy(
        attribute.data().elements(), ValueLayout.JAVA_BYTE, 0, values, 0, values.length);
    toFile(attribute.type(), type.get(), MemorySegment.ofArray(values), space.elementCount());
    return Optional.of(new ClassicHeader.Text(name, type.get(), values));
  }

  /** Elements in the file's byte order, in place. */
  static void toFile(Datatype from, ClassicType to, MemorySegment elements, long count) {
    if (!isBigEndian(from)) {
      to.swap(elements, count);
    }
  }

  private static boolean isBigEndian(Datatype type) {
    return switch (type) {
      case IntegerType t -> t.order() == Endian.BIG;
      case FloatType t -> t.order() == Endian.BIG;
      case BitfieldType t -> t.order() == Endian.BIG;
      case EnumType t -> isBigEndian(t.base());
      default -> false;
    };
  }

  /**
   * Returns the bytes of a string: up to the terminator, without spaces that pad, or all of them.
   */
  public static byte[] text(AttributeValue attribute) {
    if (attribute.space().elementCount() == 0) {
      return new byte[0];
    }
    if (!(attribute.type() instanceof StringType type)) {
      String text = (String) attribute.element(0);
      return text == null ? new byte[0] : NameBytes.encode(text);
    }
    byte[] bytes =
        attribute.data().elements().asSlice(0, type.size()).toArray(ValueLayout.JAVA_BYTE);
    int length = bytes.length;
    if (type.padding() == StringPadding.NULLTERM) {
      length = 0;
      while (length < bytes.length && bytes[length] != 0) {
        length++;
      }
    } else if (type.padding() == StringPadding.SPACEPAD) {
      while (length > 0 && bytes[length - 1] == ' ') {
        length--;
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, length);
    return out.toByteArray();
  }
}
