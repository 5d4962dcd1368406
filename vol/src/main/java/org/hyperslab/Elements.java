package org.hyperslab;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;

/** Elements that are not plain numbers, one by one. */
final class Elements {

  private Elements() {}

  static Memory encode(Object value, int depth, Datatype stored) {
    Class<?> leaf = JavaArrays.below(value.getClass(), depth);
    if (leaf != String.class) {
      throw new InvalidUseException(
          "Java type: actual=" + leaf.getTypeName() + ", expected=String");
    }
    Datatype type = stored == null ? Datatypes.vlenString() : stored;
    long[] shape = JavaArrays.shape(value, depth);
    Dataspace space = Dataspace.simple(shape);
    DataBuffer data = DataBuffer.allocate(type, space.elementCount());
    int[] at = {0};
    if (depth == 0) {
      put(type, data, 0, (String) value);
    } else {
      JavaArrays.forEachRow(
          value,
          depth,
          row -> {
            for (Object element : (Object[]) row) {
              put(type, data, at[0]++, (String) element);
            }
          });
    }
    return new Memory(type, space, Selection.all(), data);
  }

  private static void put(Datatype type, DataBuffer data, long index, String text) {
    long at = index * type.memorySize();
    switch (type) {
      case VlenStringType t -> data.heap().putString(data.elements(), at, text);
      case StringType t -> {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, t.size());
        MemorySegment.copy(bytes, 0, data.elements(), ValueLayout.JAVA_BYTE, at, length);
      }
      default -> throw new InvalidUseException("type of a string: actual=" + type.describe());
    }
  }

  static Values.Pending prepare(Datatype stored, Dataspace space, Class<?> target) {
    int depth = target == Object.class ? space.rank() : JavaArrays.depth(target);
    Class<?> leaf = target == Object.class ? String.class : JavaArrays.below(target, depth);
    if (leaf != String.class) {
      throw new InvalidUseException(
          "Java type to read as: actual="
              + target.getTypeName()
              + ", expected=one that "
              + stored.describe()
              + " can become");
    }
    Values.checkDepth(target, depth, space);
    Memory memory = Memory.allocate(stored, space);
    return new Values.Pending(
        memory,
        done -> {
          Object[] flat = (Object[]) Array.newInstance(leaf, (int) space.elementCount());
          for (int i = 0; i < flat.length; i++) {
            flat[i] = get(stored, done.data(), i);
          }
          return Values.nest(flat, space, leaf, depth);
        });
  }

  private static String get(Datatype type, DataBuffer data, long index) {
    long at = index * type.memorySize();
    return switch (type) {
      case VlenStringType t -> data.heap().getString(data.elements(), at);
      case StringType t -> {
        byte[] bytes = data.elements().asSlice(at, t.size()).toArray(ValueLayout.JAVA_BYTE);
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
          length++;
        }
        yield new String(bytes, 0, length, StandardCharsets.UTF_8);
      }
      default -> throw new InvalidUseException("type of a string: actual=" + type.describe());
    };
  }
}
