package org.hyperslab;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.math.BigInteger;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
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

  /** The size in bytes below which stored numbers are held on the heap, which costs less. */
  private static final long MIN_POOLED_BYTES = 64L << 10;

  private NumberArrays() {}

  /** Returns whether a class is one of a primitive number. */
  static boolean isNumber(Class<?> primitive) {
    return TYPES.containsKey(primitive);
  }

  /** Returns whether a type stores numbers. */
  static boolean isNumber(Datatype stored) {
    return NumberRange.number(stored) != null;
  }

  /** Returns the datatype of a primitive number. */
  static Datatype typeOf(Class<?> primitive) {
    return Objects.requireNonNull(TYPES.get(primitive));
  }

  /** Returns the memory of an array of primitive numbers. */
  static MemorySegment segment(Object array) {
    return JavaTypes.segmentOf(array)
        .orElseThrow(
            () -> new InvalidUseException("array: actual=" + array.getClass().getTypeName()));
  }

  /** Returns a flat array of numbers, used in place. */
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
   * @throws InvalidUseException if one is out of range and that is refused, or floating-point
   *     numbers would become bits or values of an enumeration
   */
  static Memory toStore(Memory numbers, Datatype stored, OutOfRange rule) {
    requireConvertible(numbers.type(), stored);
    long count = numbers.space().elementCount();
    if (rule == OutOfRange.REFUSE) {
      JavaTypes.requireRange(numbers.type(), stored, numbers.data().elements(), 0, count);
    }
    if (!(stored instanceof BitfieldType)) {
      return numbers;
    }
    Memory bits = Memory.room(stored, Dataspace.simple(count));
    Converter.between(numbers.type(), NumberRange.number(stored))
        .open()
        .convert(numbers.data().elements(), 0, bits.data().elements(), 0, count);
    return new Memory(stored, numbers.space(), Selection.all(), bits.data());
  }

  /** Refuses floating-point numbers for bits and names, which have no fractions to truncate. */
  static void requireConvertible(Datatype numbers, Datatype stored) {
    boolean whole = stored instanceof BitfieldType || stored instanceof EnumType;
    if (whole && numbers instanceof FloatType) {
      throw new InvalidUseException(
          "no conversion: actual source="
              + numbers.describe()
              + ", destination="
              + stored.describe()
              + "; write integers");
    }
  }

  /**
   * Returns memory for numbers of a Java type, and the work that remains once they have been read.
   */
  static Values.Pending<Memory> fromStore(Memory numbers, Datatype stored, OutOfRange rule) {
    if (isDirect(stored, numbers.type(), rule)) {
      return Values.Pending.inPlace(numbers);
    }
    return pending(
        stored,
        numbers.space().elementCount(),
        elements -> {
          convert(elements, stored, numbers, rule);
          return numbers;
        });
  }

  /**
   * Returns memory for numbers that are to be an array, and the work that remains once they have
   * been read. An array allocated only after the read is still in the cache when it is filled.
   */
  static Values.Pending<Object> fromStore(
      Class<?> primitive, int count, Datatype stored, OutOfRange rule) {
    if (isDirect(stored, typeOf(primitive), rule)) {
      Object array = Array.newInstance(primitive, count);
      return new Values.Pending<>(wrapArray(array), _ -> array);
    }
    return pending(
        stored,
        count,
        elements -> {
          Object array = Array.newInstance(primitive, count);
          convert(elements, stored, wrapArray(array), rule);
          return array;
        });
  }

  /**
   * Returns whether a connector converts by the rule, so that it can read directly into the
   * caller's numbers.
   */
  private static boolean isDirect(Datatype stored, Datatype type, OutOfRange rule) {
    return !(stored instanceof BitfieldType)
        && (rule == OutOfRange.CLAMP || NumberRange.between(stored, type).isEmpty());
  }

  private static void convert(
      MemorySegment elements, Datatype stored, Memory numbers, OutOfRange rule) {
    MemorySegment target = numbers.data().elements();
    long count = numbers.space().elementCount();
    if (rule == OutOfRange.REFUSE) {
      JavaTypes.convertInRange(stored, numbers.type(), elements, target, count);
    } else {
      Converter.between(NumberRange.number(stored), numbers.type())
          .open()
          .convert(elements, 0, target, 0, count);
    }
  }

  /**
   * Returns memory for stored numbers in one dimension, taken from the pool if there are many, and
   * the function that converts them to the caller's numbers. Its content is unspecified until it
   * has been read into.
   */
  private static <T> Values.Pending<T> pending(
      Datatype stored, long count, Function<MemorySegment, T> finish) {
    long bytes = Math.multiplyExact(count, (long) stored.memorySize());
    if (bytes < MIN_POOLED_BYTES) {
      Memory memory = Memory.allocate(stored, count);
      return new Values.Pending<>(memory, filled -> finish.apply(filled.data().elements()));
    }
    Lease lease = BufferPool.ofProcess().take(bytes);
    Memory memory = Memory.of(lease.segment(), stored, count);
    return new Values.Pending<>(
        memory, filled -> finish.apply(filled.data().elements()), lease::close);
  }

  /** Returns the class of integers that has every value of a type. */
  static Class<?> classOf(IntegerType type) {
    int bits = type.precision() + (type.signed() ? 0 : 1);
    if (bits > 64) {
      return BigInteger.class;
    }
    if (bits <= 8) {
      return byte.class;
    }
    return bits <= 16 ? short.class : bits <= 32 ? int.class : long.class;
  }
}
