package org.hyperslab.plugins.jhdf;

import io.jhdf.api.Attribute;
import io.jhdf.api.Dataset;
import io.jhdf.api.Node;
import io.jhdf.dataset.DatasetBase;
import io.jhdf.dataset.DatasetReader;
import io.jhdf.object.datatype.EnumDataType;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.format.type.value.ElementCodec;

/**
 * Converts jHDF's values to elements in memory form. jHDF returns nested arrays with the shape of
 * the extent, and for compound elements a map from each member to such an array.
 */
final class JhdfValues {

  private final Datatype type;
  private final int[] dims;

  /**
   * Creates a converter of the values of a dataset or attribute.
   *
   * @param memoryType the type in memory form
   * @param dims the extent; empty for a scalar
   */
  JhdfValues(Datatype memoryType, int[] dims) {
    this.type = memoryType;
    this.dims = dims;
  }

  /** Returns the values of a dataset; those of an enumeration as numbers. */
  static Object of(Dataset dataset) {
    return dataset instanceof DatasetBase stored
            && dataset.getDataType() instanceof EnumDataType enumeration
        ? numbers(enumeration, stored.getDataBuffer(), dataset.getDimensions(), dataset)
        : dataset.getData();
  }

  /** Returns the values of an attribute; those of an enumeration as numbers. */
  static Object of(Attribute attribute) {
    return attribute.getDataType() instanceof EnumDataType enumeration
        ? numbers(
            enumeration, attribute.getBuffer(), attribute.getDimensions(), attribute.getNode())
        : attribute.getData();
  }

  /** Reads an enumeration as its base type, because jHDF gives null for numbers without a name. */
  private static Object numbers(EnumDataType type, ByteBuffer buffer, int[] dims, Node owner) {
    return DatasetReader.readDataset(
        type.getBaseType(), buffer, dims, owner.getHdfFile().getHdfBackingStorage());
  }

  /** Returns all elements, in row-major order. */
  DataBuffer encode(Object data) {
    long count = 1;
    for (int dim : dims) {
      count *= dim;
    }
    DataBuffer buffer = DataBuffer.allocate(type, count);
    ElementCodec codec = ElementCodec.of(type);
    MemorySegment elements = buffer.elements();
    VlenHeap heap = buffer.heap();
    int[] at = new int[dims.length];
    for (long i = 0; i < count; i++) {
      Object element = element(type, data, at);
      requireNames(type, element, i);
      codec.encode(element, elements, i * type.size(), heap);
      advance(at);
    }
    return buffer;
  }

  private void advance(int[] at) {
    for (int d = at.length - 1; d >= 0; d--) {
      if (++at[d] < dims[d]) {
        return;
      }
      at[d] = 0;
    }
  }

  private static Object element(Datatype type, Object data, int[] at) {
    if (type instanceof CompoundType compound) {
      if (!(data instanceof Map<?, ?> columns)) {
        throw new UnsupportedFeatureException(
            "jHDF compound data: actual=" + data + ", expected=a map from members to arrays");
      }
      Map<String, Object> element = new LinkedHashMap<>();
      for (CompoundType.Member member : compound.members()) {
        element.put(member.name(), element(member.type(), columns.get(member.name()), at));
      }
      return element;
    }
    Object value = data;
    for (int index : at) {
      value = Array.get(value, index);
    }
    if (at.length == 0 && value != null && value.getClass().isArray() && isSingle(type, value)) {
      value = Array.get(value, 0);
    }
    return type instanceof ReferenceType && value instanceof Number address
        ? new Reference.ToObject(address.longValue())
        : value;
  }

  /** Requires that jHDF found a name for each number of an enumeration. */
  private static void requireNames(Datatype type, Object value, long index) {
    Datatype inner = innermost(type);
    if (value instanceof Object[] parts) {
      for (Object part : parts) {
        requireNames(inner, part, index);
      }
    } else if (inner instanceof CompoundType compound && value instanceof Map<?, ?> members) {
      for (CompoundType.Member member : compound.members()) {
        requireNames(member.type(), members.get(member.name()), index);
      }
    } else if (type instanceof EnumType && value == null) {
      throw new UnsupportedFeatureException(
          "jHDF enumeration within another type: actual=a number without a name, which it reads as"
              + " null, expected=a number with a name, at=element "
              + index);
    }
  }

  private static Datatype innermost(Datatype type) {
    return switch (type) {
      case ArrayType array -> innermost(array.base());
      case VlenType sequence -> innermost(sequence.base());
      default -> type;
    };
  }

  /** Returns whether a scalar was returned as an array of one element. */
  private static boolean isSingle(Datatype type, Object value) {
    return Array.getLength(value) == 1
        && !(type instanceof ArrayType)
        && !(type instanceof VlenType)
        && !(type instanceof OpaqueType);
  }
}
