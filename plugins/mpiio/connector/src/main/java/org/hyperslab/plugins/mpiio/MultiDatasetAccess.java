package org.hyperslab.plugins.mpiio;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.memory.StridedCopy.Steps;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.plugins.mpiio.report.TransferReport;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Multi;
import org.hyperslab.vol.MultiTransfers;

/**
 * Transfers of several datasets by all ranks. Where every rank knows the places of all elements, it
 * brings its own together in one window, in the order of the file, whatever dataset they are of,
 * and all ranks access the file once; more often only if a rank has more than the window takes.
 *
 * <p>Thread rule: confined to the thread that makes collective calls.
 */
final class MultiDatasetAccess {

  private final Agreement agreement;
  private final Multi operation;
  private final RawFile file;
  private final List<ParallelDataset> datasets;
  private final List<TransferPlan> plans = new ArrayList<>();
  private final List<Placed> pieces = new ArrayList<>();
  private final StagedBytes staged = new StagedBytes();
  private HyperslabException failure;
  private boolean together;
  private long bytes;
  private int largestElement = 1;

  /**
   * A piece of one of the datasets.
   *
   * @param piece where it is, and its pairs of file and memory runs
   * @param endExclusive behind all of it that the file may have
   * @param plan how its elements move
   * @param fileSize bytes of an element in the file
   */
  private record Placed(
      TransferPieces.Piece piece, long endExclusive, TransferPlan plan, int fileSize) {

    int memorySize() {
      return plan.transfer().memoryType().size();
    }
  }

  /**
   * Transfers that have been asked for on this rank.
   *
   * @param agreement keeps the ranks in step
   * @param operation what this rank moves
   * @param datasets the datasets of its parts
   */
  MultiDatasetAccess(Agreement agreement, Multi operation, List<ParallelDataset> datasets) {
    this.agreement = agreement;
    this.operation = operation;
    this.datasets = List.copyOf(datasets);
    this.file = datasets.getFirst().file();
    this.together = file != null && new HashSet<>(datasets).size() == datasets.size();
    for (int i = 0; i < datasets.size(); i++) {
      plan(i);
    }
    pieces.sort(Comparator.comparingLong(placed -> placed.piece.offset()));
    together &= isApart();
  }

  private void plan(int part) {
    ParallelDataset dataset = datasets.get(part);
    DatasetOperation<Void> one = operation.parts().get(part);
    TransferPlan plan =
        dataset.plan(operation.edits(), MultiTransfers.transfer(one), MultiTransfers.buffer(one));
    plans.add(plan);
    if (plan.failure() != null) {
      failure =
          failure == null
              ? (HyperslabException) MultiTransfers.failed(operation, part, plan.failure())
              : failure;
      return;
    }
    together &= dataset.file() == file && dataset.isDirect(plan);
    if (together && plan.elements() > 0) {
      DatasetView view = dataset.view();
      int size = view.type().size();
      bytes = Math.addExact(bytes, Math.multiplyExact(plan.elements(), (long) size));
      largestElement = Math.max(largestElement, size);
      long most = view.isChunked() ? view.shape().chunkBytes() : view.space().elementCount() * size;
      for (TransferPieces.Piece piece : plan.pieces(view).list()) {
        pieces.add(new Placed(piece, piece.offset() + most, plan, size));
      }
    }
  }

  /** Whether no two pieces share bytes of the file, as in a sound file none do. */
  private boolean isApart() {
    for (int i = 1; i < pieces.size(); i++) {
      if (pieces.get(i).piece.offset() < pieces.get(i - 1).endExclusive) {
        return false;
      }
    }
    return true;
  }

  private long windowBytes() {
    return Math.max(file.windowBytes(), 2L * largestElement);
  }

  /** How many accesses this rank needs: a window is full if the next element has no room. */
  private long windows() {
    return !together || bytes <= windowBytes()
        ? 1
        : Math.ceilDiv(bytes, windowBytes() - largestElement + 1);
  }

  /**
   * Has the ranks agree that all parts are right, and carries them out if they can be together.
   * Collective.
   *
   * @param call the call, as ranks compare it
   * @return how the elements were moved; empty, on all ranks, if nothing was and the parts must be
   *     carried out one by one
   * @throws HyperslabException on all ranks if a part is wrong on any; nothing has moved then
   */
  Optional<TransferReport> carryOut(ComparedCall call) {
    long[] least = agreement.require(call, failure, together ? 1 : 0, -windows());
    if (least[0] == 0) {
      return Optional.empty();
    }
    long windows = -least[1];
    long room = Math.min(bytes, windowBytes());
    staged.add(room);
    try (Lease buffer = file.resources().buffers().take(Math.max(1, room))) {
      MemorySegment window = buffer.segment().asSlice(0, room);
      if (operation.edits()) {
        write(window, windows);
      } else {
        read(window, windows);
      }
    }
    long elements = plans.stream().mapToLong(TransferPlan::elements).sum();
    String how = operation.parts().size() + " datasets together: " + file.explain();
    return Optional.of(new TransferReport(true, Set.of(), Set.of(), elements, staged.peak(), how));
  }

  private void write(MemorySegment window, long windows) {
    Walk walk = new Walk();
    for (long i = 0; i < windows; i++) {
      ExtentRuns.Builder extents = ExtentRuns.builder();
      long filled = 0;
      while (walk.next(window.byteSize() - filled)) {
        PairStream pairs = walk.pairs;
        walk.move(window, filled, true);
        extents.addRun(pairs.fileAt(), walk.runBytes(), pairs.fileStride(), pairs.repeats());
        filled += walk.runBytes() * pairs.repeats();
      }
      MemoryExtents memory = MemoryExtents.contiguous(window.asSlice(0, filled));
      staged.note(file.writeTogether(extents.build(), memory));
    }
  }

  private void read(MemorySegment window, long windows) {
    Walk ahead = new Walk();
    Walk behind = new Walk();
    for (long i = 0; i < windows; i++) {
      ExtentRuns.Builder extents = ExtentRuns.builder();
      long wanted = 0;
      while (ahead.next(window.byteSize() - wanted)) {
        PairStream pairs = ahead.pairs;
        extents.addRun(pairs.fileAt(), ahead.runBytes(), pairs.fileStride(), pairs.repeats());
        wanted += ahead.runBytes() * pairs.repeats();
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
    private final Iterator<Placed> left = pieces.iterator();
    private Placed now;
    private PairStream pairs;

    /** Moves to the next pairs; false at the end, or if no element has room. */
    boolean next(long roomBytes) {
      while (pairs == null || !pairs.hasMore()) {
        if (!left.hasNext()) {
          return false;
        }
        now = left.next();
        pairs = new PairStream(List.of(now.piece).iterator(), now.fileSize, now.memorySize());
      }
      long room = roomBytes / now.fileSize;
      return room > 0 && pairs.next(room);
    }

    long runBytes() {
      return pairs.elements() * now.fileSize;
    }

    /** Moves the elements of the present pairs between memory and a window, converting them. */
    void move(MemorySegment window, long at, boolean toWindow) {
      Steps inWindow = new Steps(at, runBytes());
      Steps inMemory = new Steps(pairs.memoryAt(), pairs.memoryStride());
      MemorySegment memory = now.plan.selections().memory();
      if (toWindow) {
        now.plan
            .mover()
            .move(memory, inMemory, window, inWindow, pairs.elements(), pairs.repeats());
      } else {
        now.plan
            .mover()
            .move(window, inWindow, memory, inMemory, pairs.elements(), pairs.repeats());
      }
    }
  }
}
