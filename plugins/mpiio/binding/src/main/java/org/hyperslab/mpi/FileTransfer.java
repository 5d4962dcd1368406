package org.hyperslab.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;

/**
 * The memory that a routine of a file reads or writes, and the call of the routine.
 *
 * @param memory the memory
 * @param count the number of elements
 * @param type the datatype of an element
 */
record FileTransfer(MemorySegment memory, long count, MpiDatatype type) {

  FileTransfer {
    type.requireRoom(memory, count);
  }

  /** Stages the memory. A read leaves gaps untouched, so the staged copy must hold their bytes. */
  HeapStaging.Staged stage(Library library, boolean reads) {
    return reads && type.isDense()
        ? library.buffers().empty(memory)
        : library.buffers().filled(memory);
  }

  void copyOut(HeapStaging.Staged staged, MpiStatus status) {
    staged.copyOut(0, type.isDense() ? status.bytes() : memory.byteSize());
  }

  MpiRequest.Return back(boolean reads) {
    if (!reads) {
      return MpiRequest.Return.NOTHING;
    }
    return type.isDense() ? MpiRequest.Return.RECEIVED : MpiRequest.Return.ALL;
  }

  static boolean reads(Call call) {
    return call.name().contains("READ");
  }

  /** Checks an offset. OMPIO accepts a negative offset without an error. */
  static void requireOffset(Call call, long offset) {
    if (offset < 0) {
      throw new InvalidUseException(
          call.symbol() + ": actual=" + offset + ", expected=an offset of at least 0");
    }
  }

  /** Calls a routine that returns when the transfer has completed. */
  MpiStatus run(Library library, Call call, MemorySegment... where) {
    boolean reads = reads(call);
    try (Arena arena = Arena.ofConfined();
        HeapStaging.Staged memory = stage(library, reads);
        LargeCount n = LargeCount.of(library, count, type.handle())) {
      MemorySegment result = library.newStatus(arena);
      library.call(call, arguments(where, memory, n, result));
      MpiStatus status = library.status(result);
      if (reads) {
        copyOut(memory, status);
      }
      return new MpiStatus(-1, -1, status.bytes());
    }
  }

  /** Calls a routine that starts the transfer. */
  MpiRequest start(Library library, Call call, MemorySegment... where) {
    boolean reads = reads(call);
    try (LargeCount n = LargeCount.of(library, count, type.handle())) {
      HeapStaging.Staged memory = stage(library, reads);
      return MpiRequest.start(library, call, memory, back(reads), arguments(where, memory, n));
    }
  }

  /**
   * Returns the arguments of a transfer: file and offset ({@code where}), then memory, count and
   * type.
   */
  private static MemorySegment[] arguments(
      MemorySegment[] where, HeapStaging.Staged memory, LargeCount n, MemorySegment... last) {
    MemorySegment[] what = n.arguments(memory.memory(), last);
    MemorySegment[] all = Arrays.copyOf(where, where.length + what.length);
    System.arraycopy(what, 0, all, where.length, what.length);
    return all;
  }
}
