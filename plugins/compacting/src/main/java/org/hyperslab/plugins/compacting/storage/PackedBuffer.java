package org.hyperslab.plugins.compacting.storage;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.space.AllSelection;
import org.hyperslab.format.space.RunCursor;
import org.hyperslab.format.store.SharedMemory;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * The elements of a transfer in contiguous memory that every thread may access: a part of the
 * user's buffer if possible, otherwise a copy.
 *
 * @param bytes the elements in the order of transfer
 * @param isCopy whether the elements are a copy
 */
public record PackedBuffer(MemorySegment bytes, boolean isCopy) {

  /**
   * {@return the buffer of a write, filled with the elements}
   *
   * @param transfer the write
   * @param source the elements
   * @param elements the number of elements
   */
  public static PackedBuffer ofSource(Transfer transfer, DataBuffer source, long elements) {
    PackedBuffer packed = ofTarget(transfer, source, elements);
    if (packed.isCopy) {
      move(transfer, source.elements(), packed.bytes, true);
    }
    return packed;
  }

  /**
   * {@return the buffer of a read, with unspecified content}
   *
   * @param transfer the read
   * @param target receives the elements at last
   * @param elements the number of elements
   */
  public static PackedBuffer ofTarget(Transfer transfer, DataBuffer target, long elements) {
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

  /**
   * Copies the elements read to the user's buffer; called by a thread that may access that buffer.
   *
   * @param transfer the read
   * @param target receives the elements
   */
  public void unpack(Transfer transfer, DataBuffer target) {
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
