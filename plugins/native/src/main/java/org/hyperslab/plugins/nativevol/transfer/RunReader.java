package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.memory.StridedCopy.Steps;
import org.hyperslab.format.space.RunPairs;

/**
 * Reads paired runs from the bytes of a file into memory.
 *
 * <p>Thread rule: confined to one thread.
 */
final class RunReader extends RunTransfer {

  private final RawBytes file;
  private final MemorySegment memory;
  private final ElementMover mover;
  private final BufferPool pool;
  private Lease buffer;
  private long windowStart;
  private long windowEnd;

  RunReader(RawBytes file, RunPairs pairs, ElementMover mover, Memory memory, long limit) {
    super(pairs, mover.sourceSize(), mover.targetSize(), limit);
    this.file = file;
    this.memory = memory.elements();
    this.mover = mover;
    this.pool = memory.pool();
  }

  /** The user's memory, and the pool for scratch buffers. */
  record Memory(MemorySegment elements, BufferPool pool) {}

  /** Reads all runs. */
  void run() {
    try {
      while (nextGroup()) {
        if (mover.copies() && runBytes >= DIRECT_BYTES) {
          readDirectly();
        } else {
          readThroughWindow();
        }
      }
    } finally {
      if (buffer != null) {
        buffer.close();
      }
    }
  }

  private void readDirectly() {
    while (repeats > 0) {
      file.read(fileAt, memory.asSlice(memoryAt, runBytes));
      passRuns(1);
    }
  }

  private void readThroughWindow() {
    while (repeats > 0) {
      if (fileAt < windowStart || fileAt + fileSize > windowEnd) {
        load();
      }
      long runs = wholeRunsBefore(windowEnd);
      if (runs > 0) {
        move(runElements, runs);
        passRuns(runs);
      } else {
        movePart((windowEnd - fileAt) / fileSize);
      }
    }
  }

  /**
   * Moves the first elements of a run that is longer than the window; the rest needs another
   * window.
   */
  private void movePart(long elements) {
    long restRepeats = repeats;
    long fullElements = runElements;
    long runStart = fileAt;
    long memoryStart = memoryAt;
    move(elements, 1);
    passElements(elements);
    while (runElements > 0) {
      load();
      long fitting = Math.min(runElements, (windowEnd - fileAt) / fileSize);
      move(fitting, 1);
      passElements(fitting);
    }
    fileAt = runStart;
    memoryAt = memoryStart;
    runElements = fullElements;
    runBytes = fullElements * fileSize;
    repeats = restRepeats;
    passRuns(1);
  }

  private void move(long elements, long runs) {
    mover.move(
        buffer.segment(),
        new Steps(fileAt - windowStart, fileStride),
        memory,
        new Steps(memoryAt, memoryStride),
        elements,
        runs);
  }

  private void load() {
    long bytes = windowBytes(windowEnd);
    if (buffer == null || buffer.segment().byteSize() < bytes) {
      if (buffer != null) {
        buffer.close();
      }
      buffer = pool.take(Math.max(bytes, Math.min(WINDOW_BYTES, limit - fileAt)));
    }
    file.read(fileAt, buffer.segment().asSlice(0, bytes));
    windowStart = fileAt;
    windowEnd = fileAt + bytes;
  }
}
