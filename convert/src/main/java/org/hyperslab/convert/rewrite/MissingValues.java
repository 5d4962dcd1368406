package org.hyperslab.convert.rewrite;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.ClassicType;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.value.ElementCodec;

/**
 * Gives variables the attribute {@code _FillValue} in the form that a format requires. In netCDF
 * this is one element of the variable's type. JSON has no types. xarray stores the value of missing
 * elements as the fill value of an array in Zarr version 2, and as Base64 in version 3 if it is a
 * floating-point number.
 *
 * <p>A value that the variable's type does not represent exactly is left as it is.
 *
 * <p>Thread rule: stateless.
 *
 * <p>Source: xarray, Zarr Encoding Specification; {@code FillValueCoder}.
 */
public final class MissingValues {

  /** The name of the attribute. */
  public static final String NAME = "_FillValue";

  /**
   * The attribute with the fill value, as JSON, of an array of Zarr 2 that has none because it is
   * not that of missing elements.
   */
  public static final String OF_HDF5 = "hdf5_fill_value";

  /** The name of the attribute for texts that are stored as characters. */
  private static final String TEXT_NAME = "missing_value";

  private MissingValues() {}

  /**
   * Rewrites the variables of a group and of all groups below it.
   *
   * @param root the root group
   * @param from the format of the input
   * @param to the format of the output
   */
  public static void apply(GroupNode root, FileKind from, FileKind to) {
    boolean isOfXarray =
        from == FileKind.ZARR2
            && root.allVariables().anyMatch(v -> !v.traits().dimensions().isEmpty());
    boolean isNetcdf = to != FileKind.HDF5 && to != FileKind.ZARR3;
    root.all()
        .forEach(group ->
            group
                .variables()
                .replaceAll(variable ->
                    takes(variable.type(), isNetcdf)
                        ? rewritten(variable, isOfXarray, from == FileKind.ZARR3)
                        : variable));
  }

  /** Returns whether variables of a type get the attribute. */
  private static boolean takes(Datatype type, boolean isNetcdf) {
    return isNetcdf ? isNumber(type) || isText(type) : hasJson(type);
  }

  private static boolean isText(Datatype type) {
    return type instanceof VlenStringType || isCharacter(type);
  }

  private static boolean isCharacter(Datatype type) {
    return type instanceof StringType && type.size() == 1;
  }

  private static boolean isNumber(Datatype type) {
    boolean isNumber = type instanceof IntegerType || type instanceof FloatType;
    return isNumber && ClassicType.of(type).isPresent();
  }

  /** Returns whether the attribute has a form in JSON for variables of a type. */
  public static boolean hasJson(Datatype type) {
    return switch (type) {
      case IntegerType _, FloatType _, StringType _, VlenStringType _ -> true;
      case EnumType t -> t.isBoolean();
      default -> false;
    };
  }

  private static Variable rewritten(Variable variable, boolean isOfXarray, boolean hasBase64) {
    Datatype type = variable.type();
    List<AttributeValue> attributes = new ArrayList<>(variable.traits().attributes());
    boolean isNamed = !variable.traits().dimensions().isEmpty() || variable.space().rank() == 0;
    Optional<DataBuffer> fill = variable.traits().fill();
    boolean isKept = fill.isPresent() && variable.attribute(OF_HDF5).isPresent();
    attributes.removeIf(a -> isKept && a.name().equals(OF_HDF5));
    if (variable.attribute(NAME).isPresent()) {
      attributes.replaceAll(a -> a.name().equals(NAME) ? typed(a, type, hasBase64) : a);
    } else if (isOfXarray && isNamed && fill.isPresent() && !isKept) {
      attributes.addFirst(new AttributeValue(NAME, type, Dataspace.simple(1), fill.get()));
    }
    return new Variable(
        variable.path(),
        type,
        variable.space(),
        variable.traits().withAttributes(attributes),
        variable.elements());
  }

  private static AttributeValue typed(AttributeValue attribute, Datatype type, boolean hasBase64) {
    if (isText(type)) {
      return attribute.text().flatMap(text -> text(text, type)).orElse(attribute);
    }
    if (!isNumber(type)
        || attribute.type().equals(type)
        || attribute.space().kind() == Dataspace.Kind.NULL
        || attribute.space().elementCount() != 1) {
      return attribute;
    }
    OptionalDouble decoded =
        hasBase64 && type instanceof FloatType
            ? attribute.text().map(MissingValues::ofBase64).orElse(OptionalDouble.empty())
            : OptionalDouble.empty();
    Object value = decoded.isPresent() ? (Object) decoded.getAsDouble() : attribute.element(0);
    return exact(value, type)
        .flatMap(number -> encoded(number, type))
        .map(data -> new AttributeValue(NAME, type, attribute.space(), data))
        .orElse(attribute);
  }

  /** Returns the attribute of a variable of strings or of characters, which are one byte each. */
  private static Optional<AttributeValue> text(String text, Datatype type) {
    if (type instanceof VlenStringType) {
      return Optional.of(
          new AttributeValue(NAME, type, Dataspace.simple(1), AttributeValue.string(text)));
    }
    byte[] bytes = NameBytes.encode(text);
    MemorySegment one = MemorySegment.ofArray(Arrays.copyOf(bytes, 1));
    return bytes.length > 1
        ? Optional.empty()
        : Optional.of(
            new AttributeValue(NAME, CharArrays.CHARACTER, Dataspace.scalar(), DataBuffer.of(one)));
  }

  /**
   * Returns the attributes of a variable of texts that becomes one of characters, of which the
   * value of missing elements is one. The value of missing texts becomes {@code missing_value},
   * which is a text for both.
   *
   * @param attributes the attributes of the variable of texts
   * @return those of the variable of characters
   */
  static List<AttributeValue> ofCharacters(List<AttributeValue> attributes) {
    boolean isFree = attributes.stream().noneMatch(a -> a.name().equals(TEXT_NAME));
    return attributes.stream()
        .map(a ->
            isFree && a.name().equals(NAME) && a.text().isPresent()
                ? new AttributeValue(TEXT_NAME, a.type(), a.space(), a.data())
                : a)
        .toList();
  }

  /** Returns whether the attribute is the fill value of the variable's storage. */
  public static boolean isStored(Variable variable) {
    Optional<AttributeValue> attribute = variable.attribute(NAME);
    Optional<DataBuffer> fill = variable.traits().fill();
    if (isText(variable.type())) {
      Optional<String> stored =
          fill.map(one -> new AttributeValue(NAME, variable.type(), Dataspace.scalar(), one))
              .flatMap(AttributeValue::text);
      // version 2 does not distinguish no text from no fill value
      return stored.filter(text -> !text.isEmpty() || isCharacter(variable.type())).isPresent()
          && attribute.flatMap(AttributeValue::text).equals(stored);
    }
    return attribute.isPresent()
        && fill.isPresent()
        && attribute.get().type().equals(variable.type())
        && attribute.get().space().elementCount() == 1
        && !variable.type().hasOutOfLineParts()
        && Arrays.equals(bytes(attribute.get().data(), variable), bytes(fill.get(), variable));
  }

  /** Returns the fill value of a variable of strings. */
  public static String storedText(Variable variable) {
    return variable.traits().fill().map(one -> one.heap().getString(one.elements(), 0)).orElse("");
  }

  private static byte[] bytes(DataBuffer element, Variable variable) {
    return element
        .elements()
        .asSlice(0, variable.type().memorySize())
        .toArray(ValueLayout.JAVA_BYTE);
  }

  /**
   * Gives the attribute the form that xarray reads from Zarr version 3.
   *
   * @param variable the variable
   * @param json its attributes
   */
  public static void encode(Variable variable, Map<String, Object> json) {
    json.computeIfPresent(
        NAME, (_, value) -> value instanceof List<?> l && l.size() == 1 ? l.getFirst() : value);
    Optional<Double> value =
        variable
            .attribute(NAME)
            .filter(a -> variable.type() instanceof FloatType && a.type() instanceof FloatType)
            .filter(a -> a.space().elementCount() == 1)
            .map(a -> ((Number) a.element(0)).doubleValue());
    if (value.isPresent()) {
      ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      json.put(NAME, Base64.getEncoder().encodeToString(bytes.putDouble(value.get()).array()));
    }
  }

  private static OptionalDouble ofBase64(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text);
      return bytes.length == Double.BYTES
          ? OptionalDouble.of(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getDouble())
          : OptionalDouble.empty();
    } catch (IllegalArgumentException _) {
      return OptionalDouble.empty();
    }
  }

  /** Returns a value as a number of a type, if the type represents it exactly. */
  private static Optional<Object> exact(Object value, Datatype type) {
    if (!(value instanceof Number number)) {
      return Optional.empty();
    }
    double real = number.doubleValue();
    boolean isFinite = Double.isFinite(real);
    if (isFinite) {
      BigDecimal decimal = decimal(number);
      return type instanceof FloatType
          ? decimal.compareTo(new BigDecimal(real)) == 0 ? real(real, type) : Optional.empty()
          : integer(decimal);
    }
    return type instanceof FloatType ? real(real, type) : Optional.empty();
  }

  private static BigDecimal decimal(Number number) {
    return number instanceof Double || number instanceof Float
        ? new BigDecimal(number.doubleValue())
        : new BigDecimal(number.toString());
  }

  private static Optional<Object> real(double value, Datatype type) {
    if (type.size() == Double.BYTES) {
      return Optional.of(value);
    }
    float nearest = (float) value;
    return Double.isNaN(value) || nearest == value ? Optional.of(nearest) : Optional.empty();
  }

  private static Optional<Object> integer(BigDecimal value) {
    BigInteger integer = value.toBigInteger();
    return new BigDecimal(integer).compareTo(value) == 0 ? Optional.of(integer) : Optional.empty();
  }

  private static Optional<DataBuffer> encoded(Object value, Datatype type) {
    Datatype memory = type.inMemory();
    DataBuffer data = DataBuffer.allocate(type, 1);
    try {
      ElementCodec.of(memory).encode(value, data.elements(), 0, data.heap());
      return Optional.of(data);
    } catch (InvalidUseException _) {
      return Optional.empty(); // out of range
    }
  }
}
