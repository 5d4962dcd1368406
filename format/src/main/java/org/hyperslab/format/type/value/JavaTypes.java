package org.hyperslab.format.type.value;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.math.BigInteger;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.format.type.convert.NumberRange;

/**
 * Maps Java classes to datatypes, and decoded values to instances of Java classes.
 *
 * <p>Thread rule: stateless.
 */
public final class JavaTypes {

  private static final String CLASSES_WITH_A_TYPE =
      "a primitive, BigInteger, String, enum, record, Complex, Reference or Instant, or an array of"
          + " them";

  private JavaTypes() {}

  /**
   * {@return the datatype of the elements of a Java array, or of a value of the class}
   *
   * <p>Numbers have this machine's byte order; char is an unsigned 16-bit integer; BigInteger is an
   * unsigned 64-bit integer; boolean is {@link Datatypes#BOOLEAN}; String is a variable-length
   * UTF-8 string; an enum class is an enumeration of its ordinals; a record is a packed compound of
   * its components, whose arrays are variable-length sequences; Instant, OffsetDateTime,
   * LocalDateTime, LocalDate and LocalTime are strings as in ISO 8601.
   *
   * @param javaClass a class, or an array class of any rank, whose innermost component determines
   *     the type
   * @throws InvalidUseException if the class does not determine the type of its elements, or a
   *     record contains itself
   */
  public static Datatype typeOf(Class<?> javaClass) {
    if (javaClass == null) {
      throw new InvalidUseException("Java class: actual=null, expected=" + CLASSES_WITH_A_TYPE);
    }
    return typeOf(javaClass, List.of());
  }

  /** Returns the type of a class that is a component of the given records, outermost first. */
  private static Datatype typeOf(Class<?> javaClass, List<Class<?>> around) {
    Class<?> element = innermost(javaClass);
    Optional<Datatype> scalar = scalarType(element);
    if (scalar.isPresent()) {
      return scalar.get();
    }
    if (element.isEnum()) {
      return enumType(element);
    }
    if (element.isRecord()) {
      return compoundType(element, around);
    }
    throw new InvalidUseException(
        "Java class: actual="
            + element.getName()
            + ", expected="
            + CLASSES_WITH_A_TYPE
            + "; "
            + adviceFor(element));
  }

  private static String adviceFor(Class<?> element) {
    if (Map.class.isAssignableFrom(element)) {
      return "use a record, or create the dataset with a CompoundType and write the Map to it";
    }
    if (Collection.class.isAssignableFrom(element)) {
      return "use an array, such as list.toArray(String[]::new)";
    }
    if (Number.class.isAssignableFrom(element)) {
      return "use double or long, or create the dataset with a datatype and write the numbers to"
          + " it";
    }
    if (TemporalAccessor.class.isAssignableFrom(element)) {
      return "use an Instant, OffsetDateTime, LocalDateTime, LocalDate or LocalTime, which are"
          + " stored as text, or numbers and the unit in an attribute";
    }
    return element == Object.class
        ? "use an array of one class, or create the dataset with a datatype and write the values to"
            + " it"
        : "use a record, numbers or text";
  }

  private static Optional<Datatype> scalarType(Class<?> c) {
    Datatype type = null;
    if (c == byte.class || c == Byte.class) {
      type = Datatypes.NATIVE_BYTE;
    } else if (c == short.class || c == Short.class) {
      type = Datatypes.NATIVE_SHORT;
    } else if (c == char.class || c == Character.class) {
      type = Datatypes.NATIVE_UNSIGNED_SHORT;
    } else if (c == int.class || c == Integer.class) {
      type = Datatypes.NATIVE_INT;
    } else if (c == long.class || c == Long.class) {
      type = Datatypes.NATIVE_LONG;
    } else if (c == float.class || c == Float.class) {
      type = Datatypes.NATIVE_FLOAT;
    } else if (c == double.class || c == Double.class) {
      type = Datatypes.NATIVE_DOUBLE;
    } else if (c == boolean.class || c == Boolean.class) {
      type = Datatypes.BOOLEAN;
    } else if (c == BigInteger.class) {
      type = Datatypes.NATIVE_UNSIGNED_LONG;
    } else if (c == String.class || IsoTimes.has(c)) {
      type = Datatypes.vlenString();
    } else if (c == Complex.class) {
      type = Datatypes.COMPLEX_F64LE;
    } else if (c == Reference.ToObject.class) {
      type = Datatypes.OBJECT_REFERENCE;
    } else if (c == Reference.ToRegion.class) {
      type = Datatypes.REGION_REFERENCE;
    } else if (Reference.class.isAssignableFrom(c)) {
      type = Datatypes.REFERENCE;
    }
    return Optional.ofNullable(type);
  }

  private static EnumType enumType(Class<?> enumClass) {
    Object[] constants = enumClass.getEnumConstants();
    IntegerType base =
        constants.length <= 128
            ? Datatypes.NATIVE_BYTE
            : constants.length <= 32768 ? Datatypes.NATIVE_SHORT : Datatypes.NATIVE_INT;
    EnumType.Builder builder = EnumType.builder(base);
    for (int i = 0; i < constants.length; i++) {
      builder.constant(((Enum<?>) constants[i]).name(), i);
    }
    return builder.build();
  }

  private static CompoundType compoundType(Class<?> recordClass, List<Class<?>> around) {
    List<Class<?>> inside = new ArrayList<>(around);
    inside.add(recordClass);
    if (around.contains(recordClass)) {
      throw new InvalidUseException(
          "record: actual="
              + inside.stream().map(Class::getName).collect(Collectors.joining(" with a part "))
              + ", expected=no record that contains itself, because its elements would have no "
              + "size; store the"
              + " parts in a dataset of their own, and their index or a Reference in the record");
    }
    CompoundType.Builder builder = CompoundType.builder();
    for (RecordComponent component : recordClass.getRecordComponents()) {
      Datatype type = typeOf(component.getType(), inside);
      for (Class<?> c = component.getType(); c.isArray(); c = c.getComponentType()) {
        type = Datatypes.vlen(type);
      }
      builder.member(component.getName(), type);
    }
    return builder.build();
  }

  private static Class<?> innermost(Class<?> javaClass) {
    Class<?> c = javaClass;
    while (c.isArray()) {
      c = c.getComponentType();
    }
    // A constant with a body has a class of its own, which is not that of the enum.
    Class<?> above = c.getSuperclass();
    return above != null && above.isEnum() ? above : c;
  }

  /**
   * {@return the memory of a one-dimensional primitive array other than of boolean, without a copy}
   *
   * @param array the Java array
   */
  public static Optional<MemorySegment> segmentOf(Object array) {
    return switch (array) {
      case byte[] a -> Optional.of(MemorySegment.ofArray(a));
      case short[] a -> Optional.of(MemorySegment.ofArray(a));
      case char[] a -> Optional.of(MemorySegment.ofArray(a));
      case int[] a -> Optional.of(MemorySegment.ofArray(a));
      case long[] a -> Optional.of(MemorySegment.ofArray(a));
      case float[] a -> Optional.of(MemorySegment.ofArray(a));
      case double[] a -> Optional.of(MemorySegment.ofArray(a));
      case null, default -> Optional.empty();
    };
  }

  /**
   * Requires that numbers are in the range of a type.
   *
   * @param from the type of the numbers
   * @param to the type whose range is required
   * @param elements the memory that holds the numbers
   * @param at the byte offset of the first number
   * @param count the number of numbers
   * @throws InvalidUseException if a number is outside, naming the first one and its index
   */
  public static void requireRange(
      Datatype from, Datatype to, MemorySegment elements, long at, long count) {
    NumberRange range = NumberRange.between(from, to).orElse(null);
    long outside = range == null ? -1 : range.firstOutside(elements, at, count);
    if (outside >= 0) {
      throw outOfRange(range.text(elements, at, outside), outside, to);
    }
  }

  /**
   * Converts numbers and checks that they are in the range of a type, in one pass.
   *
   * @param from the type of the numbers
   * @param to the type to convert to
   * @param source the numbers, from the first byte on
   * @param target receives the converted numbers, from its first byte on; unspecified after a
   *     failure
   * @param count the number of numbers
   * @throws InvalidUseException if a number is outside, naming the first one and its index
   */
  public static void convertInRange(
      Datatype from, Datatype to, MemorySegment source, MemorySegment target, long count) {
    NumberRange range = NumberRange.between(from, to).orElse(null);
    if (range == null) {
      Converter.between(NumberRange.number(from), to).open().convert(source, 0, target, 0, count);
      return;
    }
    long outside = range.convert(source, target, count);
    if (outside >= 0) {
      throw outOfRange(range.text(source, 0, outside), outside, to);
    }
  }

  private static InvalidUseException outOfRange(String number, long index, Datatype to) {
    return new InvalidUseException(
        "number out of range: actual="
            + number
            + " at index "
            + index
            + " in row-major order, expected=a value of "
            + to.describe()
            + "; use a wider type, or clamp values with clamped()");
  }

  /**
   * {@return a decoded value as an instance of a class} Numbers are converted to other number
   * classes, names to enum constants, Lists to arrays, Maps to records; complex numbers to Maps and
   * records of r and i.
   *
   * @param value the Java value
   * @param target the class of the result
   * @throws InvalidUseException if the value is of another kind, or a number is out of range
   */
  public static Object coerce(Object value, Class<?> target) {
    return coerce(value, target, OutOfRange.REFUSE);
  }

  /** Returns a decoded value as an instance of a class, treating numbers out of range by a rule. */
  static Object coerce(Object value, Class<?> target, OutOfRange rule) {
    if ((value == null && !target.isPrimitive()) || target.isInstance(value)) {
      return value;
    }
    return switch (value) {
      case Number number -> Numbers.to(number, target, rule);
      case String text when IsoTimes.has(target) -> IsoTimes.value(text, target);
      case String text -> named(text, target);
      case List<?> list when target.isArray() -> array(list, target.getComponentType(), rule);
      case Map<?, ?> map when target.isRecord() -> record(map, target, rule);
      case Complex pair when target == Map.class -> pair.toMap();
      case Complex pair when target.isRecord() -> record(pair.toMap(), target, rule);
      case Boolean flag when target == boolean.class -> flag;
      case null, default -> throw refusal(value, target);
    };
  }

  private static Object named(String name, Class<?> target) {
    if (target.isEnum()) {
      for (Object constant : target.getEnumConstants()) {
        if (((Enum<?>) constant).name().equals(name)) {
          return constant;
        }
      }
    } else if (Numbers.boxed(target) == Boolean.class
        && (name.equalsIgnoreCase("TRUE") || name.equalsIgnoreCase("FALSE"))) {
      return name.equalsIgnoreCase("TRUE");
    }
    throw refusal(name, target);
  }

  private static Object array(List<?> list, Class<?> component, OutOfRange rule) {
    Object array = Array.newInstance(component, list.size());
    for (int i = 0; i < list.size(); i++) {
      Array.set(array, i, coerce(list.get(i), component, rule));
    }
    return array;
  }

  private static Object record(Map<?, ?> map, Class<?> target, OutOfRange rule) {
    RecordAccess access = RecordAccess.of(target);
    List<Object> values = new ArrayList<>();
    for (RecordComponent component : access.components()) {
      if (!map.containsKey(component.getName())) {
        throw new InvalidUseException(
            "record component \""
                + component.getName()
                + "\": actual members="
                + map.keySet()
                + ", expected=a member with that name; rename the component, or read the members"
                + " that exist");
      }
      values.add(coerce(map.get(component.getName()), component.getType(), rule));
    }
    return access.make(values.toArray());
  }

  static InvalidUseException refusal(Object value, Class<?> target) {
    return new InvalidUseException(
        "element: actual="
            + described(value)
            + ", expected=a value that converts to "
            + target.getTypeName()
            + advice(value, target));
  }

  private static String described(Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> members -> "a compound value with members " + members.keySet();
      case byte[] bytes -> "an opaque or reference value of " + bytes.length + " bytes";
      default -> value.getClass().getName() + " " + value;
    };
  }

  /** Returns the call that reads values of such a class, if there is one. */
  private static String advice(Object value, Class<?> target) {
    return switch (value) {
      case Map<?, ?> _ ->
          "; read one member with field(name), or the elements as a record class with these"
              + " components";
      case String _ when target.isEnum() ->
          "; its constants are "
              + Arrays.toString(target.getEnumConstants())
              + "; read names with readStrings(), or numbers with readInts()";
      case String _ -> "; read text as String, for example with readStrings()";
      case Number _ when target.isEnum() ->
          "; no member of the stored enumeration has this value: read numbers with readInts()";
      case byte[] _ -> "; read it as byte[], or several as byte[][]";
      case Number _ when IsoTimes.has(target) ->
          "; read numbers, for example with readDoubles(), and add them to the reference of their"
              + " units";
      case Number _ when target == String.class ->
          "; read numbers as a numeric class, for example with readDoubles()";
      case null, default -> "";
    };
  }
}
