package org.hyperslab.plugins.mpiio.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.memory.StridedCopy.Steps;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.SharedFailure;

/**
 * Accesses pieces of several datasets collectively, window by window. The elements of a window are
 * contiguous in memory, in the order of the file.
 *
 * <p>Thread rule: confined to the thread that makes collective calls.
 */
public final class WindowedAccess {

  private final RawFile file;
  private final List<PlacedPiece> pieces;
  private final StagedBytes staged;
  private long bytes;
  private int largestElement = 1;

  /**
   * Creates the access of this rank.
   *
   * @param file the file; null if there is none, so that nothing is executed
   * @param pieces the elements, of datasets that share no bytes
   * @param staged counts the bytes in the window
   */
  public WindowedAccess(RawFile file, List<PlacedPiece> pieces, StagedBytes staged) {
    this.file = file;
    this.pieces = new ArrayList<>(pieces);
    this.staged = staged;
    this.pieces.sort(Comparator.comparingLong(PlacedPiece::offset));
    TransferPlan counted = null;
    for (PlacedPiece piece : pieces) {
      // The pieces of a plan are consecutive.
      bytes += piece.plan() == counted ? 0 : piece.plan().elements() * piece.fileSize();
      counted = piece.plan();
      largestElement = Math.max(largestElement, piece.fileSize());
    }
  }

  private long windowBytes() {
    return Math.max(file.windowBytes(), 2L * largestElement);
  }

  /**
   * Returns the number of accesses that this rank needs; a window is full if the next element does
   * not fit.
   */
  public long windows() {
    if (file == null || bytes == 0) {
      return 0;
    }
    return bytes <= windowBytes() ? 1 : Math.ceilDiv(bytes, windowBytes() - largestElement + 1);
  }

  /** Writes the elements by this rank alone; returns what that failed with, or null. */
  public HyperslabException writeAlone() {
    if (bytes == 0) {
      return null;
    }
    long room = Math.min(bytes, windowBytes());
    staged.add(room);
    try (Lease buffer = file.resources().buffers().take(room)) {
      MemorySegment window = buffer.segment().asSlice(0, room);
      Walk walk = new Walk();
      for (long done = 0; done < bytes; ) {
        ExtentRuns.Builder extents = ExtentRuns.builder();
        long filled = fill(walk, window, extents);
        file.writeAlone(extents.build(), MemoryExtents.contiguous(window.asSlice(0, filled)));
        done += filled;
      }
      return null;
    } catch (RuntimeException | Error failed) {
      return SharedFailure.typed(failed, "write");
    } finally {
      staged.add(-room);
    }
  }

  /**
   * Moves the elements. Collective.
   *
   * @param write whether to write to the file
   * @param windows the greatest number of accesses that any rank needs
   */
  public void carryOut(boolean write, long windows) {
    long room = Math.min(bytes, windowBytes());
    staged.add(room);
    try (Lease buffer = file.resources().buffers().take(Math.max(1, room))) {
      MemorySegment window = buffer.segment().asSlice(0, room);
      if (write) {
        write(window, windows);
      } else {
        read(window, windows);
      }
    } finally {
      staged.add(-room);
    }
  }

  private void write(MemorySegment window, long windows) {
    Walk walk = new Walk();
    for (long i = 0; i < windows; i++) {
      ExtentRuns.Builder extents = ExtentRuns.builder();
      long filled = fill(walk, window, extents);
      MemoryExtents memory = MemoryExtents.contiguous(window.asSlice(0, filled));
      staged.note(file.writeTogether(extents.build(), memory));
    }
  }

  /** Copies the next elements into a window and returns their size in bytes. */
  private static long fill(Walk walk, MemorySegment window, ExtentRuns.Builder extents) {
    long filled = 0;
    while (walk.next(window.byteSize() - filled)) {
      walk.move(window, filled, true);
      filled += walk.addTo(extents);
    }
    return filled;
  }

  private void read(MemorySegment window, long windows) {
    Walk ahead = new Walk();
    Walk behind = new Walk();
    for (long i = 0; i < windows; i++) {
      ExtentRuns.Builder extents = ExtentRuns.builder();
      long wanted = 0;
      while (ahead.next(window.byteSize() - wanted)) {
        wanted += ahead.addTo(extents);
      }
      MemoryExtents memory = MemoryExtents.contiguous(window.asSlice(0, wanted));
      staged.note(file.readTogether(extents.build(), memory));
      long moved = 0;
      while (behind.next(window.byteSize() - moved)) {
        behind.move(window, moved, false);
        moved += behind.runBytes() * behind.pairs.repeats();
      }
    }
  }

  /** Walks the pairs of all pieces. Confined to one thread. */
  private final class Walk {
    private final Iterator<PlacedPiece> left = pieces.iterator();
    private PlacedPiece now;
    private PairStream pairs;

    /** Moves to the next pairs; returns false at the end, or if no element fits. */
    boolean next(long roomBytes) {
      while (pairs == null || !pairs.hasMore()) {
        if (!left.hasNext()) {
          return false;
        }
        now = left.next();
        pairs = new PairStream(List.of(now.piece()).iterator(), now.fileSize(), now.memorySize());
      }
      long room = roomBytes / now.fileSize();
      return room > 0 && pairs.next(room);
    }

    long runBytes() {
      return pairs.elements() * now.fileSize();
    }

    /** Adds the extents of the current pairs in the file; returns the number of their bytes. */
    long addTo(ExtentRuns.Builder extents) {
      extents.addRun(pairs.fileAt(), runBytes(), pairs.fileStride(), pairs.repeats());
      return runBytes() * pairs.repeats();
    }

    /** Moves the elements of the current pairs between memory and a window, converting them. */
    void move(MemorySegment window, long at, boolean toWindow) {
      Steps inWindow = new Steps(at, runBytes());
      Steps inMemory = new Steps(pairs.memoryAt(), pairs.memoryStride());
      MemorySegment memory = now.plan().selections().memory();
      long length = pairs.elements();
      if (toWindow) {
        now.plan().mover().move(memory, inMemory, window, inWindow, length, pairs.repeats());
      } else {
        now.plan().mover().move(window, inWindow, memory, inMemory, length, pairs.repeats());
      }
    }
  }
}
