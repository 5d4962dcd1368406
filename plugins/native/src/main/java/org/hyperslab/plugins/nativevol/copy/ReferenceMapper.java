package org.hyperslab.plugins.nativevol.copy;

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
import org.hyperslab.format.type.VlenType;

/**
 * Changes references in memory to refer to the copied objects, when elements are copied to another
 * file. The HDF5 library does not change those inside variable-length sequences, which then refer
 * to whatever is at their address in the other file.
 *
 * <p>Thread rule: confined to one thread.
 */
final class ReferenceMapper {

  private static final ValueLayout.OfLong TOKEN =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int REVISED_TOKEN_OFFSET = 3;

  /** The places of references in an element, as byte offsets from its start. */
  private sealed interface Place {}

  private record Single(int offset, ReferenceKind kind) implements Place {}

  /** Places that recur in each element of an array. */
  private record Repeated(int offset, int count, int stride, List<Place> places) implements Place {}

  /** Places that recur in each element of a variable-length sequence. */
  private record Sequence(int offset, int stride, List<Place> places) implements Place {}

  private final int elementSize;
  private final List<Place> places;
  private final LongUnaryOperator tokens;

  /**
   * Creates a mapper.
   *
   * @param memoryType the type of the elements, memory form
   * @param tokens maps the token in the source file to that in the destination; 0 if there is none
   */
  public ReferenceMapper(Datatype memoryType, LongUnaryOperator tokens) {
    this.elementSize = memoryType.size();
    this.tokens = tokens;
    this.places = find(memoryType, 0);
  }

  private static List<Place> find(Datatype type, int offset) {
    List<Place> found = new ArrayList<>();
    switch (type) {
      case ReferenceType reference -> found.add(new Single(offset, reference.kind()));
      case CompoundType compound ->
          compound
              .members()
              .forEach(member -> found.addAll(find(member.type(), offset + member.offset())));
      case ArrayType array -> {
        List<Place> inBase = find(array.base(), 0);
        if (!inBase.isEmpty()) {
          found.add(
              new Repeated(
                  offset, Math.toIntExact(array.elementCount()), array.base().size(), inBase));
        }
      }
      case VlenType sequence -> {
        List<Place> inBase = find(sequence.base(), 0);
        if (!inBase.isEmpty()) {
          found.add(new Sequence(offset, sequence.base().size(), inBase));
        }
      }
      default -> {} // no other type holds references
    }
    return found;
  }

  /** {@return whether elements contain references} */
  public boolean isNeeded() {
    return !places.isEmpty();
  }

  /**
   * Maps the references in the first {@code count} elements of a buffer.
   *
   * @param buffer the elements in memory
   * @param count the number of elements
   */
  public void map(DataBuffer buffer, long count) {
    for (long i = 0; i < count; i++) {
      map(buffer, i * elementSize, places);
    }
  }

  private void map(DataBuffer buffer, long at, List<Place> where) {
    for (Place place : where) {
      switch (place) {
        case Single single -> map(buffer, at + single.offset, single.kind);
        case Repeated array -> {
          for (long i = 0; i < array.count; i++) {
            map(buffer, at + array.offset + i * array.stride, array.places);
          }
        }
        case Sequence sequence -> map(buffer, at + sequence.offset, sequence);
      }
    }
  }

  private void map(DataBuffer buffer, long at, Sequence sequence) {
    MemorySegment inner = buffer.heap().readSequence(buffer.elements(), at, sequence.stride);
    if (inner == null) {
      return;
    }
    DataBuffer elements = new DataBuffer(inner, buffer.heap());
    for (long i = 0; i < inner.byteSize(); i += sequence.stride) {
      map(elements, i, sequence.places);
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
