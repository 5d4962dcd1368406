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
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.value.OutOfRange;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.TrackedFuture;
import org.jspecify.annotations.Nullable;

/** Converts between Java values and elements in memory. */
final class Values {

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

  /** Returns the wrapper class of a primitive one; any other as it is. */
  static Class<?> boxed(Class<?> type) {
    Arguments.require(type, "Java type to read as", "a class; read() chooses one");
    if (!type.isPrimitive()) {
      return type;
    }
    return Array.get(Array.newInstance(type, 1), 0).getClass();
  }

  // --- from Java ---

  /**
   * Returns a value encoded for a stored type; a null type is derived from the value.
   *
   * @throws InvalidUseException if a number is out of range and that is refused
   */
  static Memory encode(Object value, @Nullable Datatype stored, OutOfRange rule) {
    if (value == null) {
      throw new InvalidUseException("value: actual=null, expected=a Java value");
    }
    if (value instanceof Buffer buffer) {
      Memory wrapped = Buffers.wrap(buffer, stored);
      return stored != null && Buffers.isOfNumbers(buffer) && NumberArrays.isNumber(stored)
          ? NumberArrays.toStore(wrapped, stored, rule)
          : wrapped;
    }
    int depth = JavaArrays.depth(value.getClass());
    Class<?> leaf = JavaArrays.below(value.getClass(), depth);
    Class<?> primitive = PRIMITIVES.getOrDefault(leaf, leaf);
    if (NumberArrays.isNumber(primitive) && (stored == null || NumberArrays.isNumber(stored))) {
      Memory numbers = numbers(value, depth, primitive);
      return stored == null ? numbers : NumberArrays.toStore(numbers, stored, rule);
    }
    return Elements.encode(value, depth, stored, rule);
  }

  private static Memory numbers(Object value, int depth, Class<?> primitive) {
    Datatype type = NumberArrays.typeOf(primitive);
    if (depth == 0) {
      Object one = Array.newInstance(primitive, 1);
      Array.set(one, 0, value);
      return new Memory(
          type, Dataspace.scalar(), Selection.all(), DataBuffer.of(NumberArrays.segment(one)));
    }
    Dataspace space = Dataspace.simple(JavaArrays.shape(value, depth));
    boolean flat = depth == 1 && value.getClass().componentType() == primitive;
    Object elements = flat ? value : flatten(value, depth, primitive, space);
    return new Memory(type, space, Selection.all(), DataBuffer.of(NumberArrays.segment(elements)));
  }

  private static Object flatten(Object value, int depth, Class<?> primitive, Dataspace space) {
    Object all = Array.newInstance(primitive, JavaArrays.length(space.elementCount()));
    int[] at = {0};
    JavaArrays.forEachRow(
        value,
        depth,
        row -> {
          int length = Array.getLength(row);
          copy(row, 0, all, at[0], length);
          at[0] += length;
        });
    return all;
  }

  /** Copies between arrays of a primitive class or its wrapper. */
  private static void copy(Object from, int fromIndex, Object to, int toIndex, int length) {
    if (from.getClass().componentType() == to.getClass().componentType()) {
      System.arraycopy(from, fromIndex, to, toIndex, length);
      return;
    }
    for (int i = 0; i < length; i++) {
      Object number = Array.get(from, fromIndex + i);
      if (number == null) {
        throw new InvalidUseException(
            "array element: actual=null at index "
                + (fromIndex + i)
                + " of a row, expected=a number; only variable-length strings, sequences and"
                + " references can be null");
      }
      Array.set(to, toIndex + i, number);
    }
  }

  // --- to Java ---

  /**
   * Describes elements to read as a Java value.
   *
   * @param stored the type of the elements
   * @param space their shape
   * @param rule for numbers out of the Java type's range
   */
  record Request(Datatype stored, Dataspace space, OutOfRange rule) {

    /** Returns a request whose numbers must be in range. */
    static Request of(Datatype stored, Dataspace space) {
      return new Request(stored, space, OutOfRange.REFUSE);
    }

    private StorageException outOfMemory(Class<?> target, OutOfMemoryError exhausted) {
      String what = target == Object.class ? "reading" : "reading as " + target.getTypeName();
      return StorageException.outOfMemory(
          what + Transfer.describeSize(space.elementCount(), stored), exhausted);
    }
  }

  /** Reads elements, by a reader that fills memory, as a Java class. */
  static Object read(Request request, Class<?> target, Consumer<Memory> reader) {
    try (Pending<Object> pending = prepare(request, target)) {
      if (pending.memory != null) {
        reader.accept(pending.memory);
      }
      return pending.finish.apply(pending.memory);
    } catch (OutOfMemoryError exhausted) {
      throw request.outOfMemory(target, exhausted);
    }
  }

  /** Reads elements as a Java class without waiting. */
  static CompletableFuture<Object> readAsync(
      Request request, Class<?> target, Function<Memory, CompletableFuture<Void>> reader) {
    try {
      Pending<Object> pending = prepare(request, target);
      return pending.memory == null
          ? CompletableFuture.completedFuture(pending.finish.apply(null))
          : pending.readBy(reader);
    } catch (OutOfMemoryError exhausted) {
      throw request.outOfMemory(target, exhausted);
    }
  }

  /**
   * Holds memory to fill (null if there is nothing to read), the function that converts it to the
   * value, and the action that releases it.
   */
  record Pending<T>(@Nullable Memory memory, Function<Memory, T> finish, Runnable release)
      implements AutoCloseable {

    /** Memory of its own. */
    Pending(@Nullable Memory memory, Function<Memory, T> finish) {
      this(memory, finish, NOTHING);
    }

    /** Returns the same memory, with a further step of the conversion. */
    <U> Pending<U> then(Function<T, U> more) {
      return new Pending<>(memory, finish.andThen(more), release);
    }

    /** Fills the memory, converts it to the value and releases the memory in any case. */
    CompletableFuture<T> readBy(Function<Memory, CompletableFuture<Void>> reader) {
      CompletableFuture<Void> filled;
      try {
        filled = reader.apply(memory);
      } catch (RuntimeException | Error failure) {
        release.run();
        throw failure;
      }
      if (release == NOTHING) {
        return filled.thenApply(_ -> finish.apply(memory));
      }
      // A caller who completes the future in the meantime must not keep this from running.
      CompletableFuture<T> made = filled.thenApply(_ -> finish.apply(memory));
      return TrackedFuture.watch(made, (_, _) -> release.run()).toCompletableFuture().copy();
    }

    @Override
    public void close() {
      release.run();
    }

    /** Returns the caller's own memory, which needs no conversion after it is filled. */
    static Pending<Memory> inPlace(Memory memory) {
      return new Pending<>(memory, AS_IS);
    }
  }

  private static final Function<Memory, Memory> AS_IS = filled -> filled;

  private static final Runnable NOTHING = () -> {};

  private static Pending<Object> prepare(Request request, Class<?> target) {
    if (target != Object.class) {
      return prepareAs(request, target);
    }
    if (request.space.kind() == Dataspace.Kind.NULL) {
      return new Pending<>(null, nothing -> null);
    }
    Class<?> natural = Elements.natural(request.stored);
    return prepareAs(request, JavaArrays.around(natural, request.space.rank()));
  }

  private static Pending<Object> prepareAs(Request request, Class<?> target) {
    int depth = JavaArrays.depth(target);
    Class<?> leaf = JavaArrays.below(target, depth);
    Class<?> primitive = PRIMITIVES.getOrDefault(leaf, leaf);
    if (!NumberArrays.isNumber(primitive) || !NumberArrays.isNumber(request.stored)) {
      return Elements.prepare(request, target);
    }
    checkDepth(target, depth, request);
    int count = JavaArrays.length(request.space.elementCount());
    return NumberArrays.fromStore(primitive, count, request.stored, request.rule)
        .then(all -> nest(all, request.space, leaf, depth));
  }

  /** Returns a flat array as a scalar, as it is, or in a shape. */
  static Object nest(Object flat, Dataspace space, Class<?> leaf, int depth) {
    if (depth == 0) {
      return Array.get(flat, 0);
    }
    if (depth == 1 && flat.getClass().componentType() == leaf) {
      return flat;
    }
    long[] shape = depth == 1 ? new long[] {Array.getLength(flat)} : space.dims();
    Object nested = JavaArrays.create(leaf, shape);
    spread(flat, nested, depth);
    return nested;
  }

  private static void spread(Object flat, Object nested, int depth) {
    int[] at = {0};
    JavaArrays.forEachRow(
        nested,
        depth,
        row -> {
          int length = Array.getLength(row);
          copy(flat, at[0], row, 0, length);
          at[0] += length;
        });
  }

  static void checkDepth(Class<?> target, int depth, Request request) {
    Dataspace space = request.space;
    boolean fits = depth == 0 ? space.elementCount() == 1 : depth == 1 || depth == space.rank();
    if (!fits) {
      throw new InvalidUseException(
          "Java type to read as: actual="
              + target.getTypeName()
              + ", expected="
              + expectedArray(target, depth, request)
              + ", at=shape "
              + Arrays.toString(space.dims()));
    }
  }

  private static String expectedArray(Class<?> target, int depth, Request request) {
    Dataspace space = request.space;
    int inside = Elements.arrayDepth(request.stored);
    if (target.isArray() && inside > 0) {
      return "an array of "
          + Math.addExact(space.rank(), inside)
          + " dimensions, for each element of type "
          + request.stored.describe()
          + " is an array itself";
    }
    if (depth == 0) {
      return "an array, for there are " + space.elementCount() + " elements";
    }
    return switch (space.rank()) {
      case 0 -> "no array, or an array of 1 dimension, for there is one element";
      case 1 -> "an array of 1 dimension";
      default -> "an array of " + space.rank() + " dimensions, or of 1 for all elements in order";
    };
  }

  // --- into the caller's own memory ---

  /**
   * Returns the caller's memory to read into, and the work that remains once it is filled: a
   * Memory, a segment, a buffer, or an array of the elements' shape, or flat.
   *
   * @throws InvalidUseException if it is none of them, cannot be changed, or has another shape
   */
  private static Pending<?> into(Object target, Request request) {
    return switch (target) {
      case Memory memory -> Pending.inPlace(memory.requireAccessible());
      case MemorySegment segment -> Pending.inPlace(Memory.flat(segment, request.stored));
      case Buffer buffer -> intoBuffer(buffer, request);
      case null ->
          throw new InvalidUseException(
              "memory to read into: actual=null, expected=an array, a MemorySegment, a Buffer or a"
                  + " Memory");
      default -> intoArray(target, request);
    };
  }

  /**
   * Returns whether the shape of the elements matters for the caller's memory, as for all but flat
   * memory.
   */
  static boolean needsShape(Object target, Datatype stored) {
    return target != null
        && target.getClass().isArray()
        && !(NumberArrays.isNumber(target.getClass().componentType())
            && NumberArrays.isNumber(stored));
  }

  /** Reads elements, by a reader that fills memory, into memory of the caller. */
  static CompletableFuture<Void> readInto(
      Object target, Request request, Function<Memory, CompletableFuture<Void>> reader) {
    return finished(into(target, request), reader);
  }

  private static <T> CompletableFuture<Void> finished(
      Pending<T> pending, Function<Memory, CompletableFuture<Void>> reader) {
    return pending.finish == AS_IS
        ? reader.apply(pending.memory)
        : pending.readBy(reader).thenAccept(_ -> {});
  }

  private static Pending<?> intoBuffer(Buffer buffer, Request request) {
    if (buffer.isReadOnly()) {
      throw readOnly(buffer.getClass().getSimpleName());
    }
    Memory memory = Buffers.wrap(buffer, request.stored);
    return Buffers.isOfNumbers(buffer) && NumberArrays.isNumber(request.stored)
        ? NumberArrays.fromStore(memory, request.stored, request.rule)
        : Pending.inPlace(memory);
  }

  /** Returns the error for memory that cannot be read into. */
  static InvalidUseException readOnly(String what) {
    return new InvalidUseException(
        "memory to read into: actual=read-only ("
            + what
            + "), expected=memory that can be changed");
  }

  private static Pending<?> intoArray(Object target, Request request) {
    Class<?> c = target.getClass();
    if (!c.isArray()) {
      return new Pending<>(NumberArrays.wrapArray(target), filled -> target);
    }
    if (NumberArrays.isNumber(c.componentType()) && NumberArrays.isNumber(request.stored)) {
      return NumberArrays.fromStore(NumberArrays.wrapArray(target), request.stored, request.rule);
    }
    int depth = JavaArrays.depth(c);
    int outside = Elements.outsideDepth(depth, JavaArrays.below(c, depth), request.stored);
    if (outside == 0) {
      throw new InvalidUseException(
          "memory to read into: actual=" + c.getTypeName() + ", expected=an array of elements");
    }
    long[] shape = JavaArrays.shape(target, outside);
    JavaArrays.requireShape("memory to read into", shape, request.space.dims());
    JavaArrays.requireCount("memory to read into", shape, request.space);
    Class<?> element = JavaArrays.below(c, outside);
    Pending<Object> flat = prepareAs(request, JavaArrays.around(element, 1));
    return flat.then(all -> {
      spread(all, target, outside);
      return target;
    });
  }
}
