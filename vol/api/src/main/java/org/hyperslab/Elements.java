package org.hyperslab;

import java.lang.reflect.Array;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.format.type.convert.NumberRange;
import org.hyperslab.format.type.value.Complex;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.format.type.value.JavaTypes;
import org.hyperslab.format.type.value.OutOfRange;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes elements that are not plain numbers, one by one. */
final class Elements {

  private Elements() {}

  /** Returns a value of {@code depth} nested arrays; a null type follows from the value. */
  static Memory encode(Object value, int depth, @Nullable Datatype stored, OutOfRange rule) {
    Class<?> leaf = JavaArrays.below(value.getClass(), depth);
    Datatype type = stored == null ? typeOf(value, leaf) : stored;
    int outside = outsideDepth(depth, leaf, type);
    Dataspace space = Dataspace.simple(JavaArrays.shape(value, outside));
    DataBuffer data = DataBuffer.allocate(type, space.elementCount());
    Datatype memory = type.inMemory();
    ElementCodec codec = ElementCodec.of(memory).with(rule);
    if (outside == 0) {
      codec.encode(value, data.elements(), 0, data.heap());
    } else {
      long[] at = {0};
      JavaArrays.forEachRow(
          value,
          outside,
          row -> {
            for (int i = 0; i < Array.getLength(row); i++) {
              encode(codec, Array.get(row, i), data, at[0]);
              at[0] += memory.size();
            }
          });
    }
    return new Memory(type, space, Selection.all(), data);
  }

  /** Encodes one of several elements; an error names its index. */
  private static void encode(ElementCodec codec, Object value, DataBuffer data, long at) {
    try {
      codec.encode(value, data.elements(), at, data.heap());
    } catch (InvalidUseException refusal) {
      throw atIndex(refusal, at / codec.type().size());
    }
  }

  /**
   * Returns the type of the standard mapping, except that references that are all to objects, or
   * all to regions, have the form that every release of HDF5 reads.
   */
  private static Datatype typeOf(Object value, Class<?> leaf) {
    if (leaf != Reference.class) {
      return JavaTypes.typeOf(leaf);
    }
    boolean objects = everyReference(value, Reference.ToObject.class);
    boolean regions = !objects && everyReference(value, Reference.ToRegion.class);
    return objects
        ? Datatypes.OBJECT_REFERENCE
        : regions ? Datatypes.REGION_REFERENCE : Datatypes.REFERENCE;
  }

  private static boolean everyReference(Object value, Class<? extends Reference> kind) {
    if (!(value instanceof Object[] array)) {
      return value == null || kind.isInstance(value);
    }
    for (Object each : array) {
      if (!everyReference(each, kind)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the number of an array's dimensions that enclose elements rather than belong to them.
   */
  static int outsideDepth(int depth, Class<?> leaf, Datatype type) {
    return Math.max(0, depth - (List.class.isAssignableFrom(leaf) ? 0 : arrayDepth(type)));
  }

  /** Returns memory for elements of a shape, and the conversion of its contents to a Java value. */
  static Values.Pending<Object> prepare(Values.Request request, Class<?> target) {
    int depth = JavaArrays.depth(target);
    Class<?> leaf = JavaArrays.below(target, depth);
    int outside = outsideDepth(depth, leaf, request.stored());
    Values.checkDepth(target, outside, request);
    Class<?> element = JavaArrays.below(target, outside);
    Memory memory = Memory.allocate(request.stored(), request.space());
    return new Values.Pending<>(
        memory,
        filled ->
            Values.nest(
                decode(filled, element, request.rule()), request.space(), element, outside));
  }

  private static Object decode(Memory memory, Class<?> element, OutOfRange rule) {
    Datatype type = memory.type().inMemory();
    ElementCodec codec = ElementCodec.of(type).with(rule);
    int count = JavaArrays.length(memory.space().elementCount());
    Object flat = Array.newInstance(element, count);
    DataBuffer data = memory.data();
    Object[] objects = flat instanceof Object[] array ? array : null;
    int i = 0;
    try {
      for (; i < count; i++) {
        long at = (long) i * type.size();
        Object value = codec.decodeAs(data.elements(), at, data.heap(), element);
        if (objects != null) {
          objects[i] = value;
        } else {
          Array.set(flat, i, value);
        }
      }
    } catch (InvalidUseException refusal) {
      throw count == 1 ? refusal : atIndex(refusal, i);
    }
    return flat;
  }

  /** Returns a refusal of one of several elements that names its index. */
  private static InvalidUseException atIndex(InvalidUseException refusal, long index) {
    return new InvalidUseException(
        refusal.getMessage() + ", at=index " + index + " in row-major order", refusal);
  }

  /** Returns the number of array dimensions that one element of a type has in Java. */
  static int arrayDepth(Datatype type) {
    return switch (type) {
      case ArrayType t -> t.dimensions().size() + arrayDepth(t.base());
      case VlenType t -> 1 + arrayDepth(t.base());
      case OpaqueType t -> 1;
      case IntegerType t -> 0;
      case FloatType t -> 0;
      case TimeType t -> 0;
      case StringType t -> 0;
      case BitfieldType t -> 0;
      case CompoundType t -> 0;
      case ReferenceType t -> 0;
      case EnumType t -> 0;
      case VlenStringType t -> 0;
      case ComplexType t -> 0;
    };
  }

  /** Returns the Java class that represents an element of a type best. */
  static Class<?> natural(Datatype type) {
    return switch (type) {
      case IntegerType t -> NumberArrays.classOf(t);
      case BitfieldType t -> NumberArrays.classOf((IntegerType) NumberRange.number(t));
      case TimeType t -> NumberArrays.classOf(IntegerType.of(t.size(), t.order(), true));
      case FloatType t -> t.isWithin(Datatypes.F32LE) ? float.class : double.class;
      case StringType t -> String.class;
      case VlenStringType t -> String.class;
      case OpaqueType t -> byte[].class;
      case CompoundType t -> ElementCodec.isComplexPair(t) ? Complex.class : Map.class;
      case ReferenceType t -> Reference.class;
      case EnumType t -> t.isBoolean() ? boolean.class : NumberArrays.classOf(t.base());
      case ComplexType t -> Complex.class;
      case VlenType t -> JavaArrays.around(natural(t.base()), 1);
      case ArrayType t -> JavaArrays.around(natural(t.base()), t.dimensions().size());
    };
  }
}
