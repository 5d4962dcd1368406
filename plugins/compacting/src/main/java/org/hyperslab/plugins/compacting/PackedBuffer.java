package org.hyperslab.plugins.compacting;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.space.AllSelection;
import org.hyperslab.format.space.RunCursor;
import org.hyperslab.format.store.SharedMemory;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * The elements of a transfer one behind the other: a part of the user's buffer where they lie so, a
 * copy otherwise, and where the user's buffer belongs to one thread.
 *
 * @param bytes the elements in the order of transfer
 * @param isCopy whether they are a copy
 */
record PackedBuffer(MemorySegment bytes, boolean isCopy) {

  /** For a write: with the elements in it. */
  static PackedBuffer ofSource(Transfer transfer, DataBuffer source, long elements) {
    PackedBuffer packed = ofTarget(transfer, source, elements);
    if (packed.isCopy) {
      move(transfer, source.elements(), packed.bytes, true);
    }
    return packed;
  }

  /** For a read: to be filled. */
  static PackedBuffer ofTarget(Transfer transfer, DataBuffer target, long elements) {
    int size = transfer.memoryType().size();
    long bytes = elements * size;
    long first = 0;
    boolean contiguous = transfer.memorySelection() instanceof AllSelection;
    if (!contiguous) {
      RunCursor runs = transfer.memorySelection().runs(transfer.memorySpace().dims());
      contiguous = runs.next() && runs.length() == elements;
      first = contiguous ? runs.offset() : 0;
    }
    if (contiguous && SharedMemory.isShared(target.elements())) {
      return new PackedBuffer(target.elements().asSlice(first * size, bytes), false);
    }
    return new PackedBuffer(MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]), true);
  }

  /** Puts what was read to its places in the user's buffer; in the thread that may touch it. */
  void unpack(Transfer transfer, DataBuffer target) {
    if (isCopy) {
      move(transfer, target.elements(), bytes, false);
    }
  }

  private static void move(
      Transfer transfer, MemorySegment scattered, MemorySegment packed, boolean packs) {
    int size = transfer.memoryType().size();
    RunCursor runs = transfer.memorySelection().runs(transfer.memorySpace().dims());
    long at = 0;
    while (runs.next()) {
      long length = runs.length() * size;
      long offset = runs.offset() * size;
      MemorySegment.copy(
          packs ? scattered : packed,
          packs ? offset : at,
          packs ? packed : scattered,
          packs ? at : offset,
          length);
      at += length;
    }
  }
}
