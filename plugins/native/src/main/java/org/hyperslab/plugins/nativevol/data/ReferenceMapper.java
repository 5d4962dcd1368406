package org.hyperslab.plugins.nativevol.data;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.ReferenceKind;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.VlenHeap;

/**
 * Changes the objects that references in memory lead to, when elements are copied to another file.
 * References inside variable-length sequences are left as they are.
 *
 * <p>Thread rule: confined.
 */
public final class ReferenceMapper {

  private static final ValueLayout.OfLong TOKEN =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int REVISED_TOKEN_OFFSET = 3;

  private record Place(int offset, ReferenceKind kind) {}

  private final int elementSize;
  private final List<Place> places = new ArrayList<>();
  private final LongUnaryOperator tokens;

  /**
   * A mapper.
   *
   * @param memoryType the type of the elements, memory form
   * @param tokens from the token in the source file to that in the destination; 0 for none
   */
  public ReferenceMapper(Datatype memoryType, LongUnaryOperator tokens) {
    this.elementSize = memoryType.size();
    this.tokens = tokens;
    find(memoryType, 0);
  }

  private void find(Datatype type, int offset) {
    switch (type) {
      case ReferenceType reference -> places.add(new Place(offset, reference.kind()));
      case CompoundType compound ->
          compound.members().forEach(member -> find(member.type(), offset + member.offset()));
      case ArrayType array -> {
        for (int i = 0; i < array.elementCount(); i++) {
          find(array.base(), offset + i * array.base().size());
        }
      }
      default -> {} // nothing else holds references in its own bytes
    }
  }

  /** Whether elements hold references at all. */
  public boolean isNeeded() {
    return !places.isEmpty();
  }

  /** Changes the references in the first {@code count} elements of a buffer. */
  public void map(DataBuffer buffer, long count) {
    for (long i = 0; i < count; i++) {
      for (Place place : places) {
        map(buffer, i * elementSize + place.offset, place.kind);
      }
    }
  }

  private void map(DataBuffer buffer, long at, ReferenceKind kind) {
    MemorySegment elements = buffer.elements();
    if (kind == ReferenceKind.OBJECT) {
      long token = elements.get(TOKEN, at);
      elements.set(TOKEN, at, token == 0 ? 0 : tokens.applyAsLong(token));
      return;
    }
    MemorySegment payload = buffer.heap().readReference(elements, at, kind);
    int tokenAt = kind == ReferenceKind.REGION ? 0 : REVISED_TOKEN_OFFSET;
    if (payload == null || payload.byteSize() < tokenAt + Long.BYTES) {
      return;
    }
    long mapped = tokens.applyAsLong(payload.get(TOKEN, tokenAt));
    if (mapped == 0) {
      VlenHeap.setSlot(elements, at, 0, VlenHeap.NO_OFFSET);
    } else {
      payload.set(TOKEN, tokenAt, mapped);
    }
  }
}
