package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import java.util.stream.LongStream;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.space.PointSelection;
import org.hyperslab.format.space.RunPairs;
import org.hyperslab.format.space.Selection;

/**
 * Moves elements between memory and a dataset whose elements are stored contiguously in row-major
 * order. Large transfers are split into parts by position in transfer order, which several threads
 * share, except writes of long runs without conversion: Linux admits one writer to a file at a
 * time, so that a second thread would only wait.
 *
 * <p>Thread rule: any thread.
 */
public final class ContiguousTransfer {

  /** The least size in bytes of a transfer that several threads share. */
  private static final long SHARED_BYTES = 4L << 20;

  private static final long PART_BYTES = 4L << 20;

  private final Workers workers;
  private final BufferPool pool;

  /**
   * Creates the transfers.
   *
   * @param resources the threads and buffers to use
   */
  public ContiguousTransfer(TransferResources resources) {
    this.workers = resources.workers();
    this.pool = resources.buffers();
  }

  /**
   * Reads the elements of the transfer.
   *
   * @param file the dataset's bytes in the file
   * @param transfer the elements selected in the file and in memory
   * @param mover converts and copies elements
   */
  public void read(RawBytes file, ElementTransfer transfer, ElementMover mover) {
    transfer.requireMemory(mover.targetSize());
    if (transfer.isWhole() && mover.copies()) {
      MemorySegment all = whole(transfer, mover.sourceSize());
      if (all.byteSize() > 0 && all.byteSize() < SHARED_BYTES) {
        file.read(0, all);
        return;
      }
    }
    var memory = new RunReader.Memory(transfer.memory(), pool);
    forEachPart(
        transfer,
        mover,
        mover.sourceSize(),
        transfer.mayBeShared(mover),
        (pairs, limit, own) -> new RunReader(file, pairs, own, memory, limit).run());
  }

  /**
   * Writes the elements of the transfer. Bytes between the first and the last element may be read
   * and written back, so no other thread may write there at the same time.
   *
   * @param file the dataset's bytes in the file
   * @param transfer the elements selected in the file and in memory
   * @param mover converts and copies elements
   */
  public void write(RawBytes file, ElementTransfer transfer, ElementMover mover) {
    transfer.requireMemory(mover.sourceSize());
    if (transfer.isWhole() && mover.copies()) {
      MemorySegment all = whole(transfer, mover.targetSize());
      if (all.byteSize() > 0) {
        file.write(0, all);
      }
      return;
    }
    var memory = new RunReader.Memory(transfer.memory(), pool);
    forEachPart(
        transfer,
        mover,
        mover.targetSize(),
        transfer.mayBeShared(mover) && !isDirect(transfer, mover),
        (pairs, limit, own) -> new RunWriter(file, pairs, own, memory, limit).run());
  }

  /** Returns the memory of all elements, which have the same form in the file. */
  private static MemorySegment whole(ElementTransfer transfer, int elementSize) {
    return transfer.memory().asSlice(0, transfer.elements() * elementSize);
  }

  /** Transfers one part. */
  private interface PartAction {
    void run(RunPairs pairs, long limit, ElementMover mover);
  }

  /** Returns whether elements are written from the memory in which they are, in long runs. */
  private static boolean isDirect(ElementTransfer transfer, ElementMover mover) {
    if (!mover.copies()) {
      return false;
    }
    RunPairs pairs = pairs(transfer, 0, transfer.elements());
    return pairs.nextGroup() && pairs.length() * mover.targetSize() >= RunTransfer.DIRECT_BYTES;
  }

  private void forEachPart(
      ElementTransfer transfer,
      ElementMover mover,
      int fileSize,
      boolean parallel,
      PartAction action) {
    long elements = transfer.elements();
    if (elements == 0) {
      return;
    }
    Selection file = transfer.fileSelection();
    long[] extent = transfer.fileExtent();
    boolean ascending = isAscending(file);
    boolean shared =
        ascending
            && parallel
            && workers.threads() > 1
            && elements > 1
            && elements * fileSize >= SHARED_BYTES;
    if (!shared) {
      long limit = ascending ? limitOf(file, extent, elements, fileSize) : endOf(extent, fileSize);
      action.run(pairs(transfer, 0, elements), limit, mover);
      return;
    }
    long partElements = Math.max(1, PART_BYTES / fileSize);
    long parts = (elements + partElements - 1) / partElements;
    workers.forEach(
        LongStream.range(0, parts).iterator(),
        part -> {
          long first = part * partElements;
          long count = Math.min(partElements, elements - first);
          long limit = limitOf(file, extent, first + count, fileSize);
          action.run(pairs(transfer, first, count), limit, mover.fork());
        });
  }

  private static RunPairs pairs(ElementTransfer transfer, long first, long count) {
    return RunPairs.of(
        transfer.fileSelection(),
        transfer.fileExtent(),
        transfer.memorySelection(),
        transfer.memoryExtent(),
        first,
        count);
  }

  /** Returns whether elements are selected in ascending order; only lists of points may not be. */
  private static boolean isAscending(Selection selection) {
    return !(selection instanceof PointSelection);
  }

  private static long limitOf(Selection file, long[] extent, long elementsEnd, int fileSize) {
    return bytes(file.offsetAt(extent, elementsEnd - 1) + 1, fileSize);
  }

  private static long endOf(long[] extent, int fileSize) {
    long bytes = fileSize;
    for (long dim : extent) {
      bytes = bytes(bytes, dim);
    }
    return bytes;
  }

  /** Returns the length of a range in bytes, or {@link Long#MAX_VALUE} if no file can hold it. */
  private static long bytes(long count, long size) {
    boolean tooFar = Math.multiplyHigh(count, size) != 0 || count * size < 0;
    return tooFar ? Long.MAX_VALUE : count * size;
  }
}
