package org.hyperslab.plugins.codec;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.PointSelection;
import org.hyperslab.format.space.RunCursor;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.convert.Conversion;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * Gathers the selected elements of a transfer's buffer into packed memory, and scatters them again.
 *
 * <p>Thread rule: confined to one thread.
 */
final class MemorySide {

  /** The average length of runs, in bytes, from which each run becomes a part of the payload. */
  private static final long LONG_RUN_BYTES = 8192;

  private static final int MAX_PARTS = 256;

  private final Datatype type;
  private final Transfer transfer;
  private final DataBuffer buffer;
  private final long size;
  private final long elements;
  private final boolean whole;

  MemorySide(Transfer transfer, DataBuffer buffer) {
    this.type = transfer.memoryType();
    this.transfer = transfer;
    this.buffer = buffer;
    this.size = type.size();
    Dataspace space = transfer.memorySpace();
    requireBuffer(space);
    boolean empty = space.kind() == Dataspace.Kind.NULL;
    if (!empty) {
      transfer.memorySelection().requireWithin(space.dims());
    }
    this.elements = empty ? 0 : transfer.memorySelection().elementCount(space.dims());
    this.whole =
        elements == space.elementCount() && !(transfer.memorySelection() instanceof PointSelection);
    Math.multiplyExact(elements, size);
  }

  private void requireBuffer(Dataspace space) {
    if (!type.equals(type.inMemory())) {
      throw new InvalidUseException(
          "memory type: actual="
              + type.describe()
              + " in the form of a file, expected=its memory form, as inMemory() gives");
    }
    long needed = Math.multiplyExact(space.elementCount(), size);
    if (buffer.elements().byteSize() < needed) {
      throw new InvalidUseException(
          "buffer: actual="
              + buffer.elements().byteSize()
              + " bytes, expected="
              + needed
              + " bytes for "
              + space
              + " of "
              + type.describe());
    }
  }

  /** Returns the extent of the selected elements once they are packed. */
  Dataspace space() {
    return whole ? transfer.memorySpace() : Dataspace.simple(elements);
  }

  /** Returns the number of bytes of the selected elements. */
  long bytes() {
    return elements * size;
  }

  /** Returns the selected elements in the order of transfer. */
  List<MemorySegment> gather(LongFunction<MemorySegment> memory) {
    if (bytes() == 0) {
      return List.of();
    }
    if (whole) {
      return List.of(buffer.elements().asSlice(0, bytes()));
    }
    List<MemorySegment> parts = longRuns();
    return parts.isEmpty() ? List.of(packed(memory.apply(bytes()))) : parts;
  }

  /** Returns the runs themselves if they are few and long; otherwise nothing. */
  private List<MemorySegment> longRuns() {
    List<MemorySegment> parts = new ArrayList<>();
    RunCursor runs = runs();
    long seen = 0;
    while (runs.next()) {
      seen += runs.length() * size;
      parts.add(buffer.elements().asSlice(runs.offset() * size, runs.length() * size));
      if (parts.size() > MAX_PARTS || seen < LONG_RUN_BYTES * parts.size()) {
        return List.of();
      }
    }
    return parts;
  }

  private MemorySegment packed(MemorySegment to) {
    RunCursor runs = runs();
    long at = 0;
    while (runs.nextGroup()) {
      long from = runs.offset() * size;
      long bytes = runs.length() * size;
      for (long i = 0; i < runs.repeats(); i++) {
        MemorySegment.copy(buffer.elements(), from, to, at, bytes);
        from += runs.stride() * size;
        at += bytes;
      }
    }
    return to.asSlice(0, at);
  }

  /**
   * Stores elements, with the heap of their out-of-line values, in the selected elements of the
   * buffer.
   */
  void scatter(DataBuffer packed) {
    if (elements == 0) {
      return;
    }
    if (type.hasOutOfLineParts()) {
      scatterValues(packed);
    } else if (isInPlace(packed.elements())) {
      return;
    } else if (whole) {
      MemorySegment.copy(packed.elements(), 0, buffer.elements(), 0, bytes());
    } else {
      scatterRuns(packed.elements());
    }
  }

  private boolean isInPlace(MemorySegment from) {
    return whole && from.isNative() && from.address() == buffer.elements().address();
  }

  /** Returns the memory of the elements, if they can be received directly into it. */
  Optional<MemorySegment> direct(long bytes) {
    boolean possible =
        whole && buffer.elements().isNative() && !type.hasOutOfLineParts() && bytes == bytes();
    return possible ? Optional.of(buffer.elements().asSlice(0, bytes)) : Optional.empty();
  }

  private void scatterRuns(MemorySegment from) {
    RunCursor runs = runs();
    long at = 0;
    while (runs.nextGroup()) {
      long to = runs.offset() * size;
      long bytes = runs.length() * size;
      for (long i = 0; i < runs.repeats(); i++) {
        MemorySegment.copy(from, at, buffer.elements(), to, bytes);
        to += runs.stride() * size;
        at += bytes;
      }
    }
  }

  /** Stores elements and moves their out-of-line values to the buffer's own heap. */
  private void scatterValues(DataBuffer packed) {
    Conversion conversion = Converter.between(type, type).open(packed.heap(), buffer.heap());
    RunCursor runs = runs();
    long at = 0;
    while (runs.next()) {
      long bytes = runs.length() * size;
      MemorySegment to = buffer.elements().asSlice(runs.offset() * size, bytes);
      if (packsGaps()) {
        MemorySegment.copy(packed.elements(), at, to, 0, bytes);
      }
      conversion.convert(packed.elements(), at, to, 0, runs.length());
      at += bytes;
    }
  }

  /** Returns the selected elements, packed, with a heap of only their own out-of-line values. */
  DataBuffer copyWithOwnHeap() {
    DataBuffer own = DataBuffer.allocate(type, elements);
    Conversion conversion = Converter.between(type, type).open(buffer.heap(), own.heap());
    RunCursor runs = runs();
    long at = 0;
    while (runs.next()) {
      long bytes = runs.length() * size;
      MemorySegment from = buffer.elements().asSlice(runs.offset() * size, bytes);
      MemorySegment to = own.elements().asSlice(at, bytes);
      MemorySegment.copy(from, 0, to, 0, bytes); // with the gaps between members
      conversion.convert(from, 0, to, 0, runs.length());
      at += bytes;
    }
    return own;
  }

  private boolean packsGaps() {
    return keepsBytes(type);
  }

  private RunCursor runs() {
    return transfer.memorySelection().runs(transfer.memorySpace().dims());
  }

  /**
   * Returns whether a read may leave bytes of an element unchanged: members that the file lacks,
   * and gaps between members.
   */
  static boolean keepsBytes(Datatype type) {
    return switch (type) {
      case CompoundType compound -> true;
      case ArrayType array -> keepsBytes(array.base());
      default -> false;
    };
  }

  /** Returns whether all bytes are zero, as in a new buffer. */
  static boolean isZero(List<MemorySegment> parts) {
    for (MemorySegment part : parts) {
      long at = 0;
      MemorySegment zeros = MemorySegment.ofArray(new byte[4096]);
      for (; at < part.byteSize(); at += zeros.byteSize()) {
        long bytes = Math.min(zeros.byteSize(), part.byteSize() - at);
        if (MemorySegment.mismatch(part, at, at + bytes, zeros, 0, bytes) >= 0) {
          return false;
        }
      }
    }
    return true;
  }
}
