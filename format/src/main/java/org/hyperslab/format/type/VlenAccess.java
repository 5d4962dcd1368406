package org.hyperslab.format.type;

import java.lang.foreign.MemorySegment;

/**
 * Reads and stores the out-of-line values of elements. The implementation defines the meaning of a
 * slot's bytes. {@link VlenHeap} implements it for slots in memory, and a connector implements it
 * over a file's global heaps for slots in the file form.
 *
 * <p>Slots are given as a segment and a byte offset in it; their size is that of the type in the
 * respective form. A returned segment stays readable at least until the conversion that requested
 * it has returned, even if further values are read and written through the same object.
 *
 * <p>References are passed as a self-contained payload: see {@link
 * Reference#toPayload(ReferenceKind)}.
 *
 * <p>Thread rule: reads may run in several threads if the implementation permits it; a write
 * excludes all other accesses.
 */
public interface VlenAccess {

  /**
   * Returns the elements of a sequence, or the bytes of a string.
   *
   * @param slots the memory that holds the slot
   * @param at the byte offset of the slot
   * @param elementSize the size of an element of the sequence in bytes; 1 for strings
   * @return count × elementSize bytes, or null if the slot is empty: a null string, or a sequence
   *     without elements that was never stored
   */
  MemorySegment readSequence(MemorySegment slots, long at, int elementSize);

  /**
   * Stores a sequence and sets the slot to refer to it.
   *
   * @param slots the memory that holds the slot
   * @param at the byte offset of the slot
   * @param elements the bytes, which are copied; null to store no value
   * @param elementSize the size of an element of the sequence in bytes; 1 for strings
   */
  void writeSequence(MemorySegment slots, long at, MemorySegment elements, int elementSize);

  /**
   * {@return the payload of a region or revised reference; null for a null reference}
   *
   * @param slots the memory that holds the slots
   * @param at the byte offset of the element
   * @param kind the kind of reference
   */
  MemorySegment readReference(MemorySegment slots, long at, ReferenceKind kind);

  /**
   * Stores the payload of a region or revised reference, or null for none, and sets the slot to
   * refer to it.
   *
   * @param slots the memory that holds the slots
   * @param at the byte offset of the element
   * @param payload the reference's bytes
   * @param kind the kind of reference
   */
  void writeReference(MemorySegment slots, long at, MemorySegment payload, ReferenceKind kind);
}
