package org.hyperslab.format.type;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;

/**
 * Elements in memory form with the heap of their out-of-line values. A buffer is self-contained and
 * can be sent to another process.
 *
 * @param elements the elements, one after another
 * @param heap the values that the slots in {@code elements} refer to; {@link VlenHeap#none()} for
 *     types without out-of-line parts
 */
public record DataBuffer(MemorySegment elements, VlenHeap heap) {

  /**
   * {@return a buffer of elements of a type without out-of-line parts}
   *
   * @param elements the elements
   */
  public static DataBuffer of(MemorySegment elements) {
    return new DataBuffer(elements, VlenHeap.none());
  }

  /**
   * {@return a zeroed buffer on the Java heap for {@code count} elements, with a heap if the type
   * needs one}
   *
   * @param type the datatype
   * @param count the number of elements
   */
  public static DataBuffer allocate(Datatype type, long count) {
    long bytes = Math.multiplyExact(count, (long) type.memorySize());
    if (bytes > Integer.MAX_VALUE - 8) {
      throw new InvalidUseException(
          "buffer on the Java heap: actual="
              + bytes
              + " bytes, expected<=2147483639;"
              + " allocate a segment from an Arena instead");
    }
    MemorySegment elements = MemorySegment.ofArray(new byte[(int) bytes]);
    return new DataBuffer(elements, type.hasOutOfLineParts() ? new VlenHeap() : VlenHeap.none());
  }
}
