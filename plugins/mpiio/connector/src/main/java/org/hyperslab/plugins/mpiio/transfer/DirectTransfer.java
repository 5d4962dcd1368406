package org.hyperslab.plugins.mpiio.transfer;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.memory.StridedCopy.Steps;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.plugins.nativevol.transfer.ElementMover;

/**
 * Moves elements between memory and their places in the file, with all ranks together. Elements
 * that need no conversion move directly from memory; others are converted window by window, in the
 * order of the file, with one collective access for each window.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class DirectTransfer {

  private final RawFile file;
  private final StagedBytes staged;

  public DirectTransfer(RawFile file, StagedBytes staged) {
    this.file = file;
    this.staged = staged;
  }

  private void write(ExtentList extents, MemoryExtents memory) {
    staged.note(file.writeTogether(extents, memory));
  }

  private void read(ExtentList extents, MemoryExtents memory) {
    staged.note(file.readTogether(extents, memory));
  }

  /** Returns the number of collective accesses that a rank needs for its elements. */
  public static long windows(TransferPlan plan, int fileSize, long windowBytes) {
    if (plan.selections() == null || plan.hasPoints() || plan.mover().copies()) {
      return 1;
    }
    return Math.ceilDiv(plan.elements(), room(fileSize, windowBytes));
  }

  private static long room(int fileSize, long windowBytes) {
    return Math.max(1, windowBytes / fileSize);
  }

  /**
   * Writes this rank's elements with collective accesses, as many as every other rank makes.
   *
   * @param pieces this rank's elements; all of them have a place
   * @param windows the greatest number of accesses that any rank needs
   */
  public void write(TransferPlan plan, TransferPieces pieces, int fileSize, long windows) {
    if (pieces.isEmpty()) {
      for (long i = 0; i < windows; i++) {
        write(ExtentRuns.empty(), MemoryExtents.none());
      }
    } else if (plan.mover().copies()) {
      TransferPieces.Extents extents = pieces.extents(fileSize);
      write(extents.file(), extents.memory());
      for (long i = 1; i < windows; i++) {
        write(ExtentRuns.empty(), MemoryExtents.none());
      }
    } else {
      writeConverted(plan.mover(), pieces, plan.elements(), windows);
    }
  }

  private void writeConverted(
      ElementMover mover, TransferPieces pieces, long elements, long windows) {
    int size = mover.targetSize();
    long room = Math.min(elements, room(size, file.windowBytes()));
    PairStream pairs = pieces.stream(size, mover.sourceSize());
    staged.add(room * size);
    try (Lease buffer = file.resources().buffers().take(room * size)) {
      for (long i = 0; i < windows; i++) {
        ExtentRuns.Builder extents = ExtentRuns.builder();
        long filled = fill(buffer.segment(), mover, pieces.memory(), pairs, extents);
        MemorySegment window = buffer.segment().asSlice(0, filled);
        write(extents.build(), MemoryExtents.contiguous(window));
      }
    }
  }

  /** Converts the next elements into a window; returns the number of their bytes. */
  private static long fill(
      MemorySegment window,
      ElementMover mover,
      MemorySegment memory,
      PairStream pairs,
      ExtentRuns.Builder extents) {
    int size = mover.targetSize();
    long room = window.byteSize() / size;
    long filled = 0;
    while (filled < room && pairs.next(room - filled)) {
      long run = pairs.elements() * size;
      mover.move(
          memory,
          new Steps(pairs.memoryAt(), pairs.memoryStride()),
          window,
          new Steps(filled * size, run),
          pairs.elements(),
          pairs.repeats());
      extents.addRun(pairs.fileAt(), run, pairs.fileStride(), pairs.repeats());
      filled += pairs.elements() * pairs.repeats();
    }
    return filled * size;
  }

  /** Reads; the parameters are those of {@link #write}. */
  public void read(TransferPlan plan, TransferPieces pieces, int fileSize, long windows) {
    if (pieces.isEmpty()) {
      for (long i = 0; i < windows; i++) {
        read(ExtentRuns.empty(), MemoryExtents.none());
      }
    } else if (plan.mover().copies()) {
      TransferPieces.Extents extents = pieces.extents(fileSize);
      read(extents.file(), extents.memory());
      for (long i = 1; i < windows; i++) {
        read(ExtentRuns.empty(), MemoryExtents.none());
      }
    } else {
      readConverted(plan.mover(), pieces, plan.elements(), windows);
    }
  }

  private void readConverted(
      ElementMover mover, TransferPieces pieces, long elements, long windows) {
    int size = mover.sourceSize();
    long room = Math.min(elements, room(size, file.windowBytes()));
    PairStream ahead = pieces.stream(size, mover.targetSize());
    PairStream behind = pieces.stream(size, mover.targetSize());
    staged.add(room * size);
    try (Lease buffer = file.resources().buffers().take(room * size)) {
      for (long i = 0; i < windows; i++) {
        ExtentRuns.Builder extents = ExtentRuns.builder();
        long wanted = 0;
        while (wanted < room && ahead.next(room - wanted)) {
          extents.addRun(
              ahead.fileAt(), ahead.elements() * size, ahead.fileStride(), ahead.repeats());
          wanted += ahead.elements() * ahead.repeats();
        }
        MemorySegment window = buffer.segment().asSlice(0, wanted * size);
        read(extents.build(), MemoryExtents.contiguous(window));
        long moved = 0;
        while (moved < wanted && behind.next(room - moved)) {
          mover.move(
              window,
              new Steps(moved * size, behind.elements() * size),
              pieces.memory(),
              new Steps(behind.memoryAt(), behind.memoryStride()),
              behind.elements(),
              behind.repeats());
          moved += behind.elements() * behind.repeats();
        }
      }
    }
  }

  /** Writes run by run, in the order of transfer, by this rank alone: for lists of points. */
  public HyperslabException writeRunByRun(TransferPlan plan, TransferPieces pieces) {
    ElementMover mover = plan.mover();
    int size = mover.targetSize();
    long room = room(size, 1 << 16);
    PairStream pairs = pieces.stream(size, mover.sourceSize());
    try (Lease buffer = file.resources().buffers().take(room * size)) {
      while (pairs.next(room)) {
        for (long k = 0; k < pairs.repeats(); k++) {
          MemorySegment run = buffer.segment().asSlice(0, pairs.elements() * size);
          mover.move(
              pieces.memory(),
              new Steps(pairs.memoryAt() + k * pairs.memoryStride(), mover.sourceSize()),
              run,
              new Steps(0, size),
              pairs.elements(),
              1);
          file.write(pairs.fileAt() + k * pairs.fileStride(), run);
        }
      }
      return null;
    } catch (RuntimeException | Error e) {
      return SharedFailure.typed(e, "write");
    }
  }
}
