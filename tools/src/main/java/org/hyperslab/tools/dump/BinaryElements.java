package org.hyperslab.tools.dump;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;

/**
 * Writes elements as consecutive bytes: members without padding, strings up to their terminator,
 * sequences without their length, and nothing for references.
 */
final class BinaryElements {

  private final OutputStream out;
  private final VlenHeap heap;

  BinaryElements(OutputStream out, VlenHeap heap) {
    this.out = out;
    this.heap = heap;
  }

  /** Writes elements, given in memory form. */
  void write(Datatype type, MemorySegment elements, long at, long count) {
    for (long i = 0; i < count; i++) {
      write(type, elements, at + i * type.size());
    }
  }

  private void write(Datatype type, MemorySegment elements, long at) {
    switch (type) {
      case CompoundType t -> t.members().forEach(m -> write(m.type(), elements, at + m.offset()));
      case ArrayType t -> write(t.base(), elements, at, t.elementCount());
      case VlenType t -> {
        MemorySegment items = heap.readSequence(elements, at, t.base().size());
        if (items != null) {
          write(t.base(), items, 0, items.byteSize() / t.base().size());
        }
      }
      case VlenStringType _ -> {
        MemorySegment text = heap.readSequence(elements, at, 1);
        if (text != null) {
          bytes(ElementText.untilZero(text.toArray(ValueLayout.JAVA_BYTE)));
        }
      }
      case StringType t -> {
        byte[] text = elements.asSlice(at, t.size()).toArray(ValueLayout.JAVA_BYTE);
        bytes(t.padding() == StringPadding.NULLTERM ? ElementText.untilZero(text) : text);
      }
      case ReferenceType _ -> {
        // The C library writes nothing either.
      }
      case IntegerType _,
          FloatType _,
          TimeType _,
          BitfieldType _,
          OpaqueType _,
          EnumType _,
          ComplexType _ ->
          bytes(elements.asSlice(at, type.size()).toArray(ValueLayout.JAVA_BYTE));
    }
  }

  private void bytes(byte[] bytes) {
    try {
      out.write(bytes);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
