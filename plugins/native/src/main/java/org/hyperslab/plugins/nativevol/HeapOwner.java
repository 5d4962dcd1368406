package org.hyperslab.plugins.nativevol;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.heap.GlobalHeap;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenAccess;

/**
 * The global heap of a file as that which elements own: each out-of-line value in the heap belongs
 * to one element, and goes with it.
 *
 * <p>Thread rule: as {@link VlenAccess}; releasing under the file's write lock.
 */
interface HeapOwner extends VlenAccess {

  /** {@return the heap, of which there is one for an open file} */
  GlobalHeap heap();

  /**
   * Announces that elements are about to be overwritten: new values may take the room beside the
   * old ones.
   *
   * @param type the type of the elements, file form
   * @param elements the elements as they are, packed
   * @param count the number of elements
   */
  void consider(Datatype type, MemorySegment elements, long count);

  /**
   * Gives back the heap objects of elements; their slots mean nothing afterwards. Ids that lead
   * nowhere are passed over.
   *
   * @param type the type of the elements, file form
   * @param elements the elements, packed
   * @param count the number of elements
   */
  void release(Datatype type, MemorySegment elements, long count);

  /**
   * Gives back the heap objects that elements had before they were overwritten. What the new
   * elements or the fill value still refer to stays.
   *
   * @param type the type of the elements, file form
   * @param old the elements as they were, packed
   * @param now the elements as they are
   * @param fill the fill value; of no bytes if it is zeros
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
