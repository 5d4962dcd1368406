package org.hyperslab;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;

/** Java values as elements in memory, and back. */
final class Values {

  private static final Map<Class<?>, Datatype> NUMBERS =
      Map.of(
          byte.class, Datatypes.NATIVE_BYTE,
          short.class, Datatypes.NATIVE_SHORT,
          int.class, Datatypes.NATIVE_INT,
          long.class, Datatypes.NATIVE_LONG,
          float.class, Datatypes.NATIVE_FLOAT,
          double.class, Datatypes.NATIVE_DOUBLE,
          char.class, Datatypes.NATIVE_UNSIGNED_SHORT);

  private static final Map<Class<?>, Class<?>> PRIMITIVES =
      Map.of(
          Byte.class, byte.class,
          Short.class, short.class,
          Integer.class, int.class,
          Long.class, long.class,
          Float.class, float.class,
          Double.class, double.class,
          Character.class, char.class,
          Boolean.class, boolean.class);

  private Values() {}

  /** The wrapper class of a primitive one; any other as it is. */
  static Class<?> boxed(Class<?> type) {
    if (!type.isPrimitive()) {
      return type;
    }
    return Array.get(Array.newInstance(type, 1), 0).getClass();
  }

  // --- from Java ---

  /** A value with the type that follows from it. */
  static Memory encode(Object value) {
    return encode(value, null);
  }

  /** A value for a place of a stored type; null lets the type follow from the value. */
  static Memory encode(Object value, Datatype stored) {
    if (value == null) {
      throw new InvalidUseException("value: actual=null, expected=a Java value");
    }
    int depth = JavaArrays.depth(value.getClass());
    Class<?> leaf = JavaArrays.below(value.getClass(), depth);
    Class<?> primitive = PRIMITIVES.getOrDefault(leaf, leaf);
    if (NUMBERS.containsKey(primitive) && (stored == null || isNumber(stored))) {
      return encodeNumbers(value, depth, primitive, stored);
    }
    return Elements.encode(value, depth, stored);
  }

  private static Memory encodeNumbers(
      Object value, int depth, Class<?> primitive, Datatype stored) {
    Datatype type = numberType(primitive, stored);
    if (depth == 0) {
      Object one = Array.newInstance(primitive, 1);
      Array.set(one, 0, value);
      return new Memory(type, Dataspace.scalar(), Selection.all(), DataBuffer.of(segment(one)));
    }
    long[] shape = JavaArrays.shape(value, depth);
    Dataspace space = Dataspace.simple(shape);
    boolean flat = depth == 1 && value.getClass().componentType() == primitive;
    MemorySegment elements = flat ? segment(value) : flatten(value, depth, primitive, space);
    return new Memory(type, space, Selection.all(), DataBuffer.of(elements));
  }

  private static MemorySegment flatten(
      Object value, int depth, Class<?> primitive, Dataspace space) {
    Object all = Array.newInstance(primitive, JavaArrays.length(space.elementCount()));
    int[] at = {0};
    JavaArrays.forEachRow(
        value,
        depth,
        row -> {
          int length = Array.getLength(row);
          if (row.getClass().componentType() == primitive) {
            System.arraycopy(row, 0, all, at[0], length);
          } else {
            for (int i = 0; i < length; i++) {
              Array.set(all, at[0] + i, Array.get(row, i));
            }
          }
          at[0] += length;
        });
    return segment(all);
  }

  /** The type in memory of a primitive class: of the stored type's class, so that it converts. */
  private static Datatype numberType(Class<?> primitive, Datatype stored) {
    Datatype number = NUMBERS.get(primitive);
    if (!(number instanceof IntegerType integer)) {
      return number;
    }
    return switch (stored) {
      case EnumType named -> retyped(named, integer);
      case BitfieldType bits -> BitfieldType.of(integer.size(), integer.order());
      case null, default -> number;
    };
  }

  private static Datatype retyped(EnumType named, IntegerType base) {
    EnumType.Builder builder = EnumType.builder(base);
    named.constants().forEach(constant -> builder.constant(constant.name(), constant.value()));
    return builder.build();
  }

  /** A flat array of numbers, used in place. */
  static Memory wrapArray(Object array) {
    Class<?> component = array.getClass().componentType();
    if (component == null || !NUMBERS.containsKey(component)) {
      throw new InvalidUseException(
          "memory to read into: actual="
              + array.getClass().getTypeName()
              + ", expected=a flat array of numbers, a MemorySegment, a Buffer or a Memory;"
              + " read(Class) makes arrays of any shape");
    }
    return encodeNumbers(array, 1, component, null);
  }

  /** A buffer of numbers, used in place from its position to its limit. */
  static Memory wrap(Buffer buffer) {
    MemorySegment elements = MemorySegment.ofBuffer(buffer);
    Datatype type =
        switch (buffer) {
          case java.nio.ByteBuffer b -> Datatypes.NATIVE_BYTE;
          case java.nio.ShortBuffer b -> Datatypes.NATIVE_SHORT;
          case java.nio.IntBuffer b -> Datatypes.NATIVE_INT;
          case java.nio.LongBuffer b -> Datatypes.NATIVE_LONG;
          case java.nio.FloatBuffer b -> Datatypes.NATIVE_FLOAT;
          case java.nio.DoubleBuffer b -> Datatypes.NATIVE_DOUBLE;
          case java.nio.CharBuffer b -> Datatypes.NATIVE_UNSIGNED_SHORT;
          default -> throw new InvalidUseException("buffer: actual=" + buffer.getClass());
        };
    return new Memory(
        type, Dataspace.simple(buffer.remaining()), Selection.all(), DataBuffer.of(elements));
  }

  private static MemorySegment segment(Object array) {
    return switch (array) {
      case byte[] a -> MemorySegment.ofArray(a);
      case short[] a -> MemorySegment.ofArray(a);
      case int[] a -> MemorySegment.ofArray(a);
      case long[] a -> MemorySegment.ofArray(a);
      case float[] a -> MemorySegment.ofArray(a);
      case double[] a -> MemorySegment.ofArray(a);
      case char[] a -> MemorySegment.ofArray(a);
      default -> throw new InvalidUseException("array: actual=" + array.getClass().getTypeName());
    };
  }

  // --- to Java ---

  /** Reads elements of a shape, by a reader that fills memory, as a Java class. */
  static Object read(Datatype stored, Dataspace space, Class<?> target, Consumer<Memory> reader) {
    Pending pending = prepare(stored, space, target);
    if (pending.memory != null) {
      reader.accept(pending.memory);
    }
    return pending.finish.apply(pending.memory);
  }

  /** As the other, without waiting. */
  static CompletableFuture<Object> readAsync(
      Datatype stored,
      Dataspace space,
      Class<?> target,
      Function<Memory, CompletableFuture<Void>> reader) {
    Pending pending = prepare(stored, space, target);
    if (pending.memory == null) {
      return CompletableFuture.completedFuture(pending.finish.apply(null));
    }
    return reader.apply(pending.memory).thenApply(done -> pending.finish.apply(pending.memory));
  }

  /**
   * Memory to be filled (null if there is nothing to read), and what makes the value of it then.
   */
  record Pending(Memory memory, Function<Memory, Object> finish) {}

  private static Pending prepare(Datatype stored, Dataspace space, Class<?> target) {
    if (target != Object.class) {
      return prepareAs(stored, space, target);
    }
    if (space.kind() == Dataspace.Kind.NULL) {
      return new Pending(null, nothing -> null);
    }
    return prepareAs(stored, space, JavaArrays.around(Elements.natural(stored), space.rank()));
  }

  private static Pending prepareAs(Datatype stored, Dataspace space, Class<?> target) {
    int depth = JavaArrays.depth(target);
    Class<?> leaf = JavaArrays.below(target, depth);
    Class<?> primitive = PRIMITIVES.getOrDefault(leaf, leaf);
    if (!NUMBERS.containsKey(primitive) || !isNumber(stored)) {
      return Elements.prepare(stored, space, target);
    }
    long count = space.elementCount();
    Object all = Array.newInstance(primitive, JavaArrays.length(count));
    Memory memory =
        new Memory(
            numberType(primitive, stored),
            Dataspace.simple(count),
            Selection.all(),
            DataBuffer.of(segment(all)));
    checkDepth(target, depth, space);
    return new Pending(memory, done -> nest(all, space, leaf, depth));
  }

  /** A flat array as a scalar, as it is, or in a shape. */
  static Object nest(Object flat, Dataspace space, Class<?> leaf, int depth) {
    if (depth == 0) {
      return Array.get(flat, 0);
    }
    if (depth == 1 && flat.getClass().componentType() == leaf) {
      return flat;
    }
    long[] shape = depth == 1 ? new long[] {Array.getLength(flat)} : space.dims();
    Object nested = JavaArrays.create(leaf, shape);
    int[] at = {0};
    JavaArrays.forEachRow(
        nested,
        depth,
        row -> {
          int length = Array.getLength(row);
          if (row.getClass().componentType() == flat.getClass().componentType()) {
            System.arraycopy(flat, at[0], row, 0, length);
          } else {
            for (int i = 0; i < length; i++) {
              Array.set(row, i, Array.get(flat, at[0] + i));
            }
          }
          at[0] += length;
        });
    return nested;
  }

  static void checkDepth(Class<?> target, int depth, Dataspace space) {
    boolean fits = depth == 0 ? space.elementCount() == 1 : depth == 1 || depth == space.rank();
    if (!fits) {
      throw new InvalidUseException(
          "Java type to read as: actual="
              + target.getTypeName()
              + ", expected="
              + (depth == 0
                  ? "an array, for there are " + space.elementCount() + " elements"
                  : "an array of 1 or " + space.rank() + " dimensions")
              + ", at=shape "
              + Arrays.toString(space.dims()));
    }
  }

  private static boolean isNumber(Datatype stored) {
    return switch (stored) {
      case IntegerType t -> true;
      case FloatType t -> true;
      case EnumType t -> true;
      case BitfieldType t -> true;
      default -> false;
    };
  }
}
