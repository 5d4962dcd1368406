package org.hyperslab;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.format.type.convert.NumberRange;
import org.hyperslab.format.type.value.JavaTypes;
import org.hyperslab.format.type.value.OutOfRange;

/**
 * Transfers Java's primitive numbers to and from stored numbers, with one rule for numbers out of
 * range ({@link OutOfRange}). Integers, bitfields (unsigned) and enumerations (by value) are all
 * integers here.
 *
 * <p>Connectors clamp. Numbers that must be refused are therefore checked here: before they are
 * sent and, if the Java type is narrower, after they have been read as the stored type.
 */
final class NumberArrays {

  private static final Map<Class<?>, Datatype> TYPES =
      Map.of(
          byte.class, Datatypes.NATIVE_BYTE,
          short.class, Datatypes.NATIVE_SHORT,
          int.class, Datatypes.NATIVE_INT,
          long.class, Datatypes.NATIVE_LONG,
          float.class, Datatypes.NATIVE_FLOAT,
          double.class, Datatypes.NATIVE_DOUBLE,
          char.class, Datatypes.NATIVE_UNSIGNED_SHORT);

  private NumberArrays() {}

  /** Whether a class is one of a primitive number. */
  static boolean isNumber(Class<?> primitive) {
    return TYPES.containsKey(primitive);
  }

  /** Whether numbers are stored. */
  static boolean isNumber(Datatype stored) {
    return NumberRange.number(stored) != null;
  }

  /** The datatype of a primitive number. */
  static Datatype typeOf(Class<?> primitive) {
    return TYPES.get(primitive);
  }

  /** The memory of an array of primitive numbers. */
  static MemorySegment segment(Object array) {
    return JavaTypes.segmentOf(array)
        .orElseThrow(
            () -> new InvalidUseException("array: actual=" + array.getClass().getTypeName()));
  }

  /** A flat array of numbers, used in place. */
  static Memory wrapArray(Object array) {
    Class<?> component = array.getClass().componentType();
    if (component == null || !isNumber(component)) {
      throw new InvalidUseException(
          "memory to read into: actual="
              + array.getClass().getTypeName()
              + ", expected=an array, a MemorySegment, a Buffer or a Memory");
    }
    return new Memory(
        typeOf(component),
        Dataspace.simple(Array.getLength(array)),
        Selection.all(),
        DataBuffer.of(segment(array)));
  }

  /**
   * Returns numbers of a Java type as memory, in a type that connectors convert to the stored one.
   *
   * @param numbers in a Java type
   * @throws InvalidUseException if one is out of range and that is refused
   */
  static Memory toStore(Memory numbers, Datatype stored, OutOfRange rule) {
    long count = numbers.space().elementCount();
    if (rule == OutOfRange.REFUSE) {
      JavaTypes.requireRange(numbers.type(), stored, numbers.data().elements(), 0, count);
    }
    if (!(stored instanceof BitfieldType)) {
      return numbers;
    }
    Memory bits = room(stored, count);
    Converter.between(numbers.type(), NumberRange.number(stored))
        .open()
        .convert(numbers.data().elements(), 0, bits.data().elements(), 0, count);
    return new Memory(stored, numbers.space(), Selection.all(), bits.data());
  }

  /**
   * Returns memory for numbers of a Java type, and the work that remains once they have been read.
   */
  static Values.Pending<Memory> fromStore(Memory numbers, Datatype stored, OutOfRange rule) {
    boolean covered = NumberRange.between(stored, numbers.type()).isEmpty();
    boolean bits = stored instanceof BitfieldType;
    if (!bits && (covered || rule == OutOfRange.CLAMP)) {
      return Values.Pending.inPlace(numbers);
    }
    long count = numbers.space().elementCount();
    return new Values.Pending<>(
        room(stored, count),
        filled -> {
          MemorySegment elements = filled.data().elements();
          if (rule == OutOfRange.REFUSE) {
            JavaTypes.requireRange(stored, numbers.type(), elements, 0, count);
          }
          Converter.between(NumberRange.number(stored), numbers.type())
              .open()
              .convert(elements, 0, numbers.data().elements(), 0, count);
          return numbers;
        });
  }

  /**
   * Allocates memory for elements in one dimension, outside the Java heap if they do not fit an
   * array.
   */
  private static Memory room(Datatype stored, long count) {
    long bytes = Math.multiplyExact(count, (long) stored.memorySize());
    if (bytes <= Integer.MAX_VALUE - 8) {
      return Memory.allocate(stored, count);
    }
    MemorySegment outside = Arena.ofAuto().allocate(bytes, 8);
    return new Memory(stored, Dataspace.simple(count), Selection.all(), DataBuffer.of(outside));
  }

  /** The class of integers that has every value of a type. */
  static Class<?> classOf(IntegerType type) {
    int bits = type.precision() + (type.signed() ? 0 : 1);
    if (bits > 64) {
      return java.math.BigInteger.class;
    }
    if (bits <= 8) {
      return byte.class;
    }
    return bits <= 16 ? short.class : bits <= 32 ? int.class : long.class;
  }
}
