package org.hyperslab.plugins.libhdf5.translate;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.plugins.libhdf5.call.CFunction;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.RawMemory;

/**
 * Moves elements with variable-length parts between the layout of C and the memory form of this
 * project. In C a sequence is {@code hvl_t} (count, pointer), a string {@code char *}, a revised
 * reference {@code H5R_ref_t} of 64 bytes; in memory form each is a slot that refers to a heap.
 *
 * <p>Thread rule: that of {@link Hdf5Calls} for references; otherwise any thread.
 */
public final class CElements {

  private final LibraryReferences references;

  public CElements(LibraryReferences references) {
    this.references = references;
  }

  /** Allocates memory that the program frees. */
  public interface Allocator {

    /** The C library's malloc, which libhdf5 uses by default. */
    Allocator C_LIBRARY =
        new Allocator() {
          private final CFunction malloc = CFunction.named("malloc");

          @Override
          public long allocate(long bytes) {
            return malloc.call(bytes);
          }
        };

    /** Allocates a number of bytes and returns their address; 0 if there is no memory. */
    long allocate(long bytes);
  }

  /** Returns whether elements of a type have the same bytes in C and in memory form. */
  public static boolean sameInC(Datatype type) {
    return !type.hasOutOfLineParts();
  }

  /** Moves {@code count} consecutive elements from an address in C. */
  public void toMemory(Datatype type, long source, long count, DataBuffer target) {
    if (sameInC(type)) {
      long bytes = count * type.size();
      MemorySegment.copy(RawMemory.at(source, bytes), 0, target.elements(), 0, bytes);
      return;
    }
    Datatype memory = type.inMemory();
    for (long i = 0; i < count; i++) {
      in(
          type,
          source + i * type.size(),
          memory,
          new Spot(target.elements(), i * memory.size(), target.heap()));
    }
  }

  /** Moves elements to C. */
  public void toC(Datatype type, DataBuffer source, long count, long target, Allocator allocator) {
    if (sameInC(type)) {
      long bytes = count * type.size();
      MemorySegment.copy(source.elements(), 0, RawMemory.at(target, bytes), 0, bytes);
      return;
    }
    Datatype memory = type.inMemory();
    for (long i = 0; i < count; i++) {
      out(
          type,
          new Spot(source.elements(), i * memory.size(), source.heap()),
          memory,
          target + i * type.size(),
          allocator);
    }
  }

  /** An element in memory form. */
  private record Spot(MemorySegment segment, long at, VlenHeap heap) {
    Spot plus(long bytes) {
      return new Spot(segment, at + bytes, heap);
    }
  }

  private void in(Datatype type, long c, Datatype memory, Spot to) {
    if (sameInC(type)) {
      MemorySegment.copy(RawMemory.at(c, type.size()), 0, to.segment, to.at, type.size());
      return;
    }
    switch (type) {
      case VlenStringType _ -> stringIn(RawMemory.getLong(c), to);
      case VlenType t -> sequenceIn(t, (VlenType) memory, c, to);
      case ReferenceType t ->
          to.heap.writeReference(to.segment, to.at, references.payload(t, c), t.kind());
      case ArrayType t -> {
        Datatype base = ((ArrayType) memory).base();
        for (int i = 0; i < t.elementCount(); i++) {
          in(t.base(), c + (long) i * t.base().size(), base, to.plus((long) i * base.size()));
        }
      }
      case CompoundType t -> {
        CompoundType inMemory = (CompoundType) memory;
        for (int i = 0; i < t.members().size(); i++) {
          CompoundType.Member from = t.members().get(i);
          CompoundType.Member into = inMemory.members().get(i);
          in(from.type(), c + from.offset(), into.type(), to.plus(into.offset()));
        }
      }
      default -> throw unknown(type);
    }
  }

  private static void stringIn(long text, Spot to) {
    MemorySegment bytes = text == 0 ? null : RawMemory.at(text, length(text));
    to.heap.writeSequence(to.segment, to.at, bytes, 1);
  }

  private static long length(long text) {
    return TextLength.FUNCTION.call(text);
  }

  /** Looked up when it is first needed. */
  private static final class TextLength {
    static final CFunction FUNCTION = CFunction.named("strlen");
  }

  private void sequenceIn(VlenType type, VlenType memory, long c, Spot to) {
    long count = RawMemory.getLong(c);
    long elements = RawMemory.getLong(c + 8);
    if (count == 0 || elements == 0) {
      to.heap.writeSequence(to.segment, to.at, null, 1);
      return;
    }
    Datatype base = type.base();
    int memorySize = memory.base().size();
    if (count < 0 || count > Long.MAX_VALUE / Math.max(base.size(), memorySize)) {
      throw new InvalidUseException(
          "elements of a sequence: actual="
              + count
              + ", expected=the number of elements in memory");
    }
    if (sameInC(base)) {
      to.heap.writeSequence(
          to.segment, to.at, RawMemory.at(elements, count * base.size()), base.size());
      return;
    }
    long offset = to.heap.reserve(count * memorySize);
    MemorySegment room = to.heap.slice(offset, count * memorySize);
    for (long i = 0; i < count; i++) {
      in(base, elements + i * base.size(), memory.base(), new Spot(room, i * memorySize, to.heap));
    }
    VlenHeap.setSlot(to.segment, to.at, count, offset);
  }

  private void out(Datatype type, Spot from, Datatype memory, long c, Allocator allocator) {
    if (sameInC(type)) {
      MemorySegment.copy(from.segment, from.at, RawMemory.at(c, type.size()), 0, type.size());
      return;
    }
    switch (type) {
      case VlenStringType _ -> stringOut(from, c, allocator);
      case VlenType t -> sequenceOut(t, (VlenType) memory, from, c, allocator);
      case ReferenceType t ->
          references.store(t, from.heap.readReference(from.segment, from.at, t.kind()), c);
      case ArrayType t -> {
        Datatype base = ((ArrayType) memory).base();
        for (int i = 0; i < t.elementCount(); i++) {
          out(
              t.base(),
              from.plus((long) i * base.size()),
              base,
              c + (long) i * t.base().size(),
              allocator);
        }
      }
      case CompoundType t -> {
        CompoundType inMemory = (CompoundType) memory;
        for (int i = 0; i < t.members().size(); i++) {
          CompoundType.Member into = t.members().get(i);
          CompoundType.Member of = inMemory.members().get(i);
          out(into.type(), from.plus(of.offset()), of.type(), c + into.offset(), allocator);
        }
      }
      default -> throw unknown(type);
    }
  }

  private static void stringOut(Spot from, long c, Allocator allocator) {
    MemorySegment bytes = from.heap.readSequence(from.segment, from.at, 1);
    if (bytes == null) {
      RawMemory.setLong(c, 0);
      return;
    }
    long text = allocated(allocator, bytes.byteSize() + 1);
    MemorySegment copy = RawMemory.at(text, bytes.byteSize() + 1);
    copy.copyFrom(bytes);
    RawMemory.setBool(text + bytes.byteSize(), false);
    RawMemory.setLong(c, text);
  }

  private void sequenceOut(VlenType type, VlenType memory, Spot from, long c, Allocator allocator) {
    int memorySize = memory.base().size();
    MemorySegment stored = from.heap.readSequence(from.segment, from.at, memorySize);
    if (stored == null || stored.byteSize() == 0) {
      RawMemory.setLong(c, 0);
      RawMemory.setLong(c + 8, 0);
      return;
    }
    Datatype base = type.base();
    long count = stored.byteSize() / memorySize;
    long elements = allocated(allocator, count * base.size());
    if (sameInC(base)) {
      RawMemory.at(elements, stored.byteSize()).copyFrom(stored);
    } else {
      RawMemory.at(elements, count * base.size()).fill((byte) 0);
      for (long i = 0; i < count; i++) {
        out(
            base,
            new Spot(stored, i * memorySize, from.heap),
            memory.base(),
            elements + i * base.size(),
            allocator);
      }
    }
    RawMemory.setLong(c, count);
    RawMemory.setLong(c + 8, elements);
  }

  private static long allocated(Allocator allocator, long bytes) {
    long address = allocator.allocate(bytes);
    if (address == 0) {
      throw new InvalidUseException(
          "memory for a variable-length value: actual=none, expected=" + bytes + " bytes");
    }
    return address;
  }

  private static UnsupportedFeatureException unknown(Datatype type) {
    return new UnsupportedFeatureException(
        "type in C: actual=" + type.describe() + ", expected=one with a layout in C");
  }
}
