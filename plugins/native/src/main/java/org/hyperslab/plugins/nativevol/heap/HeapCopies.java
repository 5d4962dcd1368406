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
 * Walks elements in the file form of their type, and replaces their references to the fill value's
 * objects in the global heap by references to copies.
 *
 * <p>Thread rule: confined to one thread, under the file's write lock.
 */
final class HeapCopies {

  private static final MemorySegment ANY = MemorySegment.ofArray(new byte[0]);

  private final HeapAccess heap;
  private MemorySegment elements = ANY;
  private MemorySegment fill = ANY;

  HeapCopies(HeapAccess heap) {
    this.heap = heap;
  }

  /**
   * Walks the elements.
   *
   * @param fillValue the fill value whose objects are copied; empty to copy all objects
   */
  void run(Datatype type, MemorySegment all, MemorySegment fillValue) {
    elements = all;
    fill = fillValue;
    for (long base = 0; base <= all.byteSize() - type.size(); base += type.size()) {
      walk(type, base, 0);
    }
  }

  private void walk(Datatype type, long base, long at) {
    switch (type) {
      case VlenStringType _ -> copy(null, base, at + 4);
      case VlenType vlen -> copy(vlen, base, at + 4);
      case ReferenceType reference -> copyReference(reference.kind(), base, at);
      case CompoundType compound -> {
        for (CompoundType.Member member : compound.members()) {
          if (member.type().hasOutOfLineParts()) {
            walk(member.type(), base, at + member.offset());
          }
        }
      }
      case ArrayType array when array.base().hasOutOfLineParts() -> {
        for (int i = 0; i < array.elementCount(); i++) {
          walk(array.base(), base, at + (long) i * array.base().size());
        }
      }
      default -> {} // no other type refers to the heap
    }
  }

  private void copyReference(ReferenceKind kind, long base, long at) {
    if (kind == ReferenceKind.REGION) {
      copy(null, base, at);
    } else if (kind.revised()
        && elements.get(ValueLayout.JAVA_BYTE, base + at) != ReferenceKind.OBJECT2.code()) {
      copy(null, base, at + HeapAccess.REVISED_HEADER_BYTES + 4);
    }
  }

  /**
   * Copies an object.
   *
   * @param sequence the type of the sequence if its elements may refer to the heap, or null
   */
  private void copy(VlenType sequence, long base, long at) {
    GlobalHeapId id = heap.id(elements, base + at);
    boolean shared = fill.byteSize() == 0 || id.equals(heap.id(fill, at));
    MemorySegment content =
        shared && id.collectionAddress() != 0 ? heap.contentIfPresent(elements, base + at) : null;
    if (content == null) {
      return;
    }
    // Storing changes the heap that the content is in.
    MemorySegment own = MemorySegment.ofArray(content.toArray(ValueLayout.JAVA_BYTE));
    if (sequence != null && sequence.base().hasOutOfLineParts()) {
      Datatype inner = sequence.packedBase();
      long count = own.byteSize() / sequence.base().size();
      new HeapCopies(heap).run(inner, own.asSlice(0, count * inner.size()), ANY);
    }
    heap.store(elements, base + at, own);
  }
}
