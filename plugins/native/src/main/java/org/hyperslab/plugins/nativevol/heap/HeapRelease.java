package org.hyperslab.plugins.nativevol.heap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.hyperslab.format.heap.GlobalHeapId;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.ReferenceKind;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;

/**
 * Walks elements in the file form of their type, and removes the objects that they refer to from
 * the global heap, except those that the replacing elements or the fill value refer to as well.
 *
 * <p>Thread rule: confined to one thread, under the file's write lock.
 */
final class HeapRelease {

  private static final MemorySegment NONE = MemorySegment.ofArray(new byte[0]);

  private final HeapAccess heap;
  private final MemorySegment fill;
  private MemorySegment old = NONE;
  private MemorySegment now = NONE;
  private boolean removes = true;
  private long lastCollection;

  /**
   * Creates a walk.
   *
   * @param fill the fill value, whose objects stay; empty if there is none
   */
  HeapRelease(HeapAccess heap, MemorySegment fill) {
    this.heap = heap;
    this.fill = fill;
  }

  /**
   * Walks the elements and removes their objects.
   *
   * @param elements the elements before the write
   * @param replacements the elements after the write; empty if they were not replaced
   */
  void run(Datatype type, MemorySegment elements, MemorySegment replacements, long count) {
    if (!type.hasOutOfLineParts()) {
      return;
    }
    old = elements;
    now = replacements;
    for (long i = 0; i < count; i++) {
      walk(type, i * type.size(), 0);
    }
  }

  /** Finds the free room in the heap collections of elements' objects, and removes nothing. */
  void consider(Datatype type, MemorySegment elements, long count) {
    removes = false;
    run(type, elements, NONE, count);
  }

  /**
   * Walks one element or a part of one.
   *
   * @param base the offset of the element
   * @param at the offset of the part within the element
   */
  private void walk(Datatype type, long base, long at) {
    switch (type) {
      case VlenStringType _ -> remove(base, at + 4);
      case VlenType vlen -> removeSequence(vlen, base, at);
      case ReferenceType reference -> removeReference(reference.kind(), base, at);
      case CompoundType compound -> {
        for (CompoundType.Member member : compound.members()) {
          if (member.type().hasOutOfLineParts()) {
            walk(member.type(), base, at + member.offset());
          }
        }
      }
      case ArrayType array -> {
        for (int i = 0; i < array.elementCount(); i++) {
          walk(array.base(), base, at + (long) i * array.base().size());
        }
      }
      default -> {} // no other type refers to the heap
    }
  }

  private void removeSequence(VlenType vlen, long base, long at) {
    if (removes
        && vlen.base().hasOutOfLineParts()
        && !isKept(heap.id(old, base + at + 4), base, at + 4)) {
      MemorySegment content = heap.contentIfPresent(old, base + at + 4);
      if (content != null) {
        // Removing changes the heap that the content is in.
        byte[] inner = content.toArray(ValueLayout.JAVA_BYTE);
        int count = inner.length / vlen.base().size();
        heap.release(vlen.packedBase(), MemorySegment.ofArray(inner), count);
      }
    }
    remove(base, at + 4);
  }

  private void removeReference(ReferenceKind kind, long base, long at) {
    if (kind == ReferenceKind.REGION) {
      remove(base, at);
    } else if (kind.revised()
        && old.get(ValueLayout.JAVA_BYTE, base + at) != ReferenceKind.OBJECT2.code()) {
      remove(base, at + HeapAccess.REVISED_HEADER_BYTES + 4);
    }
  }

  private void remove(long base, long at) {
    GlobalHeapId id = heap.id(old, base + at);
    if (!removes) {
      if (id.collectionAddress() != lastCollection) {
        lastCollection = id.collectionAddress();
        heap.consider(id);
      }
    } else if (!isKept(id, base, at)) {
      heap.remove(id);
    }
  }

  private boolean isKept(GlobalHeapId id, long base, long at) {
    boolean stays = now.byteSize() > 0 && id.equals(heap.id(now, base + at));
    return stays || (fill.byteSize() > 0 && id.equals(heap.id(fill, at)));
  }
}
