package org.hyperslab.spark.table;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.type.VlenHeap;

/**
 * ReadElements that were read, in the form of {@link Filler#memoryType()}.
 *
 * @param bytes the elements, one after another
 * @param segment the same bytes
 * @param heap the values of variable length
 */
public record ReadElements(byte[] bytes, MemorySegment segment, VlenHeap heap) {

  /**
   * {@return elements in an array}
   *
   * @param bytes the array
   * @param heap the values of variable length
   */
  public static ReadElements of(byte[] bytes, VlenHeap heap) {
    return new ReadElements(bytes, MemorySegment.ofArray(bytes), heap);
  }
}
