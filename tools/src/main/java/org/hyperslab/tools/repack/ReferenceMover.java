package org.hyperslab.tools.repack;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.LongUnaryOperator;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.ReferenceKind;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;

/**
 * Changes references in elements in memory so that they refer to the copies of their targets.
 * References to objects that were not copied become null references.
 *
 * <p>Thread rule: confined to one thread.
 */
final class ReferenceMover {

  private static final ValueLayout.OfLong TOKEN =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /**
   * The offset of the token in the payload of a revised reference: after kind, flags and the
   * token's length.
   */
  private static final int REVISED_TOKEN = 3;

  private static final int FLAGS = 1;

  private final LongUnaryOperator newToken;

  /**
   * Creates a mover.
   *
   * @param newToken maps an object's token to its copy's, or to 0 if the object was not copied
   */
  ReferenceMover(LongUnaryOperator newToken) {
    this.newToken = newToken;
  }

  /** Returns whether elements of a type contain references. */
  static boolean concerns(Datatype type) {
    return switch (type) {
      case ReferenceType _ -> true;
      case CompoundType t -> t.members().stream().anyMatch(member -> concerns(member.type()));
      case ArrayType t -> concerns(t.base());
      case VlenType t -> concerns(t.base());
      case IntegerType _,
          FloatType _,
          TimeType _,
          StringType _,
          BitfieldType _,
          OpaqueType _,
          EnumType _,
          VlenStringType _,
          ComplexType _ ->
          false;
    };
  }

  /** Changes the references in {@code count} elements of a type in memory form. */
  void move(Datatype type, DataBuffer data, long count) {
    if (concerns(type)) {
      move(type, data.elements(), 0, count, data.heap());
    }
  }

  private void move(Datatype type, MemorySegment at, long offset, long count, VlenHeap heap) {
    for (long i = 0; i < count; i++) {
      one(type, at, offset + i * type.size(), heap);
    }
  }

  private void one(Datatype type, MemorySegment at, long offset, VlenHeap heap) {
    switch (type) {
      case ReferenceType reference -> reference(reference.kind(), at, offset, heap);
      case CompoundType compound -> {
        for (CompoundType.Member member : compound.members()) {
          if (concerns(member.type())) {
            one(member.type(), at, offset + member.offset(), heap);
          }
        }
      }
      case ArrayType array -> move(array.base(), at, offset, array.elementCount(), heap);
      case VlenType sequence -> {
        MemorySegment elements = heap.readSequence(at, offset, sequence.base().size());
        if (elements != null) {
          move(sequence.base(), elements, 0, VlenHeap.count(at, offset), heap);
        }
      }
      case IntegerType _,
          FloatType _,
          TimeType _,
          StringType _,
          BitfieldType _,
          OpaqueType _,
          EnumType _,
          VlenStringType _,
          ComplexType _ -> {}
    }
  }

  private void reference(ReferenceKind kind, MemorySegment at, long offset, VlenHeap heap) {
    if (kind == ReferenceKind.OBJECT) {
      replace(at, offset);
      return;
    }
    MemorySegment payload = heap.readReference(at, offset, kind);
    if (payload == null) {
      return;
    }
    if (kind == ReferenceKind.REGION) {
      replace(payload, 0);
    } else if (payload.get(ValueLayout.JAVA_BYTE, FLAGS) == 0) {
      replace(payload, REVISED_TOKEN);
    }
  }

  private void replace(MemorySegment at, long offset) {
    long old = at.get(TOKEN, offset);
    if (old != 0 && old != -1) {
      at.set(TOKEN, offset, newToken.applyAsLong(old));
    }
  }
}
