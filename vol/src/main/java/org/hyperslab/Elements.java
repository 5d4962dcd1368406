package org.hyperslab;

import java.lang.reflect.Array;
import java.util.List;
import java.util.Map;
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
import org.hyperslab.format.type.value.Complex;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.format.type.value.JavaTypes;

/** Elements that are not plain numbers, encoded and decoded one by one. */
final class Elements {

  private Elements() {}

  /** A value of {@code depth} nested arrays; a null type follows from the value. */
  static Memory encode(Object value, int depth, Datatype stored) {
    Class<?> leaf = JavaArrays.below(value.getClass(), depth);
    Datatype type = stored == null ? typeOf(value, leaf) : stored;
    int inElement = List.class.isAssignableFrom(leaf) ? 0 : arrayDepth(type);
    int outside = Math.max(0, depth - inElement);
    Dataspace space = Dataspace.simple(JavaArrays.shape(value, outside));
    DataBuffer data = DataBuffer.allocate(type, space.elementCount());
    Datatype memory = type.inMemory();
    ElementCodec codec = ElementCodec.of(memory);
    if (outside == 0) {
      codec.encode(value, data.elements(), 0, data.heap());
    } else {
      long[] at = {0};
      JavaArrays.forEachRow(
          value,
          outside,
          row -> {
            for (int i = 0; i < Array.getLength(row); i++) {
              codec.encode(Array.get(row, i), data.elements(), at[0], data.heap());
              at[0] += memory.size();
            }
          });
    }
    return new Memory(type, space, Selection.all(), data);
  }

  /**
   * As the mapping says, but references that are all to objects, or all to regions, in the form
   * that every release of HDF5 reads.
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

  /** Memory for elements of a shape, and how a Java value is made of it. */
  static Values.Pending prepare(Datatype stored, Dataspace space, Class<?> target) {
    int depth = JavaArrays.depth(target);
    Class<?> leaf = JavaArrays.below(target, depth);
    int inElement = List.class.isAssignableFrom(leaf) ? 0 : arrayDepth(stored);
    int outside = Math.max(0, depth - inElement);
    Values.checkDepth(target, outside, space);
    Class<?> element = JavaArrays.below(target, outside);
    Memory memory = Memory.allocate(stored, space);
    return new Values.Pending(
        memory, filled -> Values.nest(decode(filled, element), space, element, outside));
  }

  private static Object decode(Memory memory, Class<?> element) {
    Datatype type = memory.type().inMemory();
    ElementCodec codec = ElementCodec.of(type);
    int count = JavaArrays.length(memory.space().elementCount());
    Object flat = Array.newInstance(element, count);
    for (int i = 0; i < count; i++) {
      Object value =
          codec.decode(memory.data().elements(), (long) i * type.size(), memory.data().heap());
      Array.set(flat, i, JavaTypes.coerce(value, element));
    }
    return flat;
  }

  /** How many array brackets one element of a type has in Java. */
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

  /** The class that suits an element of a type best. */
  static Class<?> natural(Datatype type) {
    return switch (type) {
      case IntegerType t -> integerClass(t.size(), t.signed());
      case BitfieldType t -> integerClass(t.size(), false);
      case TimeType t -> integerClass(t.size(), true);
      case FloatType t ->
          t.size() <= 4 && t.fields().mantissaSize() <= 23 && t.fields().exponentSize() <= 8
              ? float.class
              : double.class;
      case StringType t -> String.class;
      case VlenStringType t -> String.class;
      case OpaqueType t -> byte[].class;
      case CompoundType t -> ElementCodec.isComplexPair(t) ? Complex.class : Map.class;
      case ReferenceType t -> Reference.class;
      case EnumType t -> isBoolean(t) ? boolean.class : Object.class;
      case ComplexType t -> Complex.class;
      case VlenType t -> JavaArrays.around(natural(t.base()), 1);
      case ArrayType t -> JavaArrays.around(natural(t.base()), t.dimensions().size());
    };
  }

  private static boolean isBoolean(EnumType type) {
    return type.constants().equals(Datatypes.BOOLEAN.constants());
  }

  private static Class<?> integerClass(int size, boolean signed) {
    int bits = 8 * size + (signed ? 0 : 1);
    if (bits > 64) {
      return java.math.BigInteger.class;
    }
    if (bits <= 8) {
      return byte.class;
    }
    return bits <= 16 ? short.class : bits <= 32 ? int.class : long.class;
  }
}
