package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.memory.StridedCopy.Steps;
import org.hyperslab.format.space.RunPairs;

/**
 * Writes paired runs from memory to the bytes of a file. Runs without holes between them are
 * collected and written at once; where holes are small, the window is read first.
 *
 * <p>Thread rule: confined to one thread; no other thread may write between this transfer's first
 * byte and its limit.
 */
final class RunWriter extends RunTransfer {

  private final RawBytes file;
  private final MemorySegment memory;
  private final ElementMover mover;
  private final BufferPool pool;
  private Lease buffer;

  // The window: bytes from windowStart to dirtyEnd will be written; those up to loadedEnd were
  // read.
  private long windowStart;
  private long dirtyEnd;
  private long loadedEnd;

  RunWriter(
      RawBytes file, RunPairs pairs, ElementMover mover, RunReader.Memory memory, long limit) {
    super(pairs, mover.targetSize(), mover.sourceSize(), limit);
    this.file = file;
    this.memory = memory.elements();
    this.mover = mover;
    this.pool = memory.pool();
  }

  /** Writes all runs. */
  void run() {
    try {
      while (nextGroup()) {
        if (mover.copies() && runBytes >= DIRECT_BYTES) {
          writeDirectly();
        } else {
          writeThroughWindow();
        }
      }
      writeWindow();
    } catch (HyperslabException refused) {
      if (mover.frees()) {
        writeWindow();
      }
      throw refused;
    } finally {
      if (buffer != null) {
        buffer.close();
      }
    }
  }

  private void writeDirectly() {
    writeWindow();
    while (repeats > 0) {
      file.write(fileAt, memory.asSlice(memoryAt, runBytes));
      passRuns(1);
    }
  }

  private void writeThroughWindow() {
    while (repeats > 0) {
      long end = roomEnd();
      long runs = end < 0 ? 0 : runsThatFit(end);
      if (runs > 0) {
        dirtyEnd = Math.max(dirtyEnd, fileAt + (runs - 1) * fileStride + runBytes);
        move(runElements, runs);
        passRuns(runs);
      } else {
        startWindow();
        if (runBytes > buffer.segment().byteSize()) {
          movePart();
        }
      }
    }
  }

  /** Returns the end of the space for the current run, or -1 if the window has no space for it. */
  private long roomEnd() {
    if (buffer == null || fileAt < windowStart) {
      return -1;
    }
    if (fileAt < loadedEnd) {
      return loadedEnd;
    }
    boolean append = fileAt == dirtyEnd && dirtyEnd >= loadedEnd && !mover.needsBackground();
    return append ? windowStart + buffer.segment().byteSize() : -1;
  }

  /**
   * Returns the number of runs that fit before {@code end}. Runs with holes between them fit only
   * where the holes were read.
   */
  private long runsThatFit(long end) {
    long runs = wholeRunsBefore(end);
    boolean holes = fileStride != runBytes && repeats > 1;
    return holes && end != loadedEnd ? Math.min(runs, 1) : runs;
  }

  /** Writes a run that is longer than the window, in pieces. */
  private void movePart() {
    long fullElements = runElements;
    long runStart = fileAt;
    long memoryStart = memoryAt;
    while (runElements > 0) {
      if (dirtyEnd > windowStart || fileAt != windowStart) {
        startWindow();
      }
      long room = mover.needsBackground() ? loadedEnd - fileAt : buffer.segment().byteSize();
      long fitting = Math.min(runElements, room / fileSize);
      dirtyEnd = fileAt + fitting * fileSize;
      move(fitting, 1);
      passElements(fitting);
    }
    fileAt = runStart;
    memoryAt = memoryStart;
    runElements = fullElements;
    runBytes = fullElements * fileSize;
    passRuns(1);
  }

  private void move(long elements, long runs) {
    mover.move(
        memory,
        new Steps(memoryAt, memoryStride),
        buffer.segment(),
        new Steps(fileAt - windowStart, fileStride),
        elements,
        runs);
  }

  private void startWindow() {
    long previousEnd = dirtyEnd;
    boolean started = buffer != null;
    writeWindow();
    long bytes = windowBytes(started ? previousEnd : Long.MAX_VALUE);
    long capacity = Math.max(bytes, fileSize);
    if (buffer == null || buffer.segment().byteSize() < capacity) {
      if (buffer != null) {
        buffer.close();
      }
      long whole = Math.max(fileSize, WINDOW_BYTES / fileSize * fileSize);
      buffer = pool.take(Math.max(capacity, Math.min(whole, Math.max(capacity, limit - fileAt))));
    }
    windowStart = fileAt;
    dirtyEnd = fileAt;
    loadedEnd = fileAt;
    boolean closeBehind = started && fileAt > previousEnd && fileAt - previousEnd <= HOLE_BYTES;
    boolean holes = isDense() && fileStride != runBytes;
    if (holes || closeBehind || mover.needsBackground()) {
      long loaded = Math.min(Math.min(bytes, buffer.segment().byteSize()), limit - fileAt);
      file.read(fileAt, buffer.segment().asSlice(0, loaded));
      loadedEnd = fileAt + loaded;
    }
  }

  private void writeWindow() {
    if (buffer != null && dirtyEnd > windowStart) {
      file.write(windowStart, buffer.segment().asSlice(0, dirtyEnd - windowStart));
    }
    windowStart = dirtyEnd;
    loadedEnd = dirtyEnd;
  }
}
