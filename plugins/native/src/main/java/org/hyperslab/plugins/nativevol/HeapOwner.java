package org.hyperslab.plugins.nativevol;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.heap.GlobalHeap;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenAccess;

/**
 * The global heap of a file, with the rule of ownership: each out-of-line value in the heap belongs
 * to one element and is freed with it.
 *
 * <p>Thread rule: as {@link VlenAccess}; releasing under the file's write lock.
 */
interface HeapOwner extends VlenAccess {

  /** {@return the heap, one for each open file} */
  GlobalHeap heap();

  /**
   * Announces that elements are about to be overwritten, so that new values may be placed in the
   * heap collections of the old ones.
   *
   * @param type the type of the elements, file form
   * @param elements the elements before the write, packed
   * @param count the number of elements
   */
  void consider(Datatype type, MemorySegment elements, long count);

  /**
   * Frees the heap objects of elements; their slots are invalid afterwards. Ids that refer to no
   * object are skipped.
   *
   * @param type the type of the elements, file form
   * @param elements the elements, packed
   * @param count the number of elements
   */
  void release(Datatype type, MemorySegment elements, long count);

  /**
   * Frees the heap objects that elements referred to before they were overwritten, except those
   * that the new elements or the fill value still refer to.
   *
   * @param type the type of the elements, file form
   * @param old the elements before the write, packed
   * @param now the elements after the write, packed
   * @param fill the fill value; empty if it is zeros
   * @param count the number of elements
   */
  void releaseReplaced(
      Datatype type, MemorySegment old, MemorySegment now, MemorySegment fill, long count);

  /**
   * Gives elements that share the fill value's objects copies of their own.
   *
   * @param type the type of the elements, file form
   * @param elements the elements, packed; changed in place
   * @param fill the fill value
   */
  void copyShared(Datatype type, MemorySegment elements, MemorySegment fill);
}
