package org.hyperslab.mpiio.engine;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.collective.CollectiveIo;
import org.hyperslab.mpiio.collective.StartedTransfer;
import org.hyperslab.mpiio.collective.TransferLane;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Consensus;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.file.AccessStatus;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.staged.AccessExtents;
import org.hyperslab.mpiio.staged.PositionedAccess;
import org.hyperslab.mpiio.staged.StagedAccess;
import org.hyperslab.mpiio.store.FileRangeLock;
import org.hyperslab.mpiio.store.FileSystemTraits;

/**
 * Transfers the bytes of accesses with a known position in the view. It maps them to extents,
 * converts them if the view's representation differs from that of memory, and ends reads at the end
 * of the file.
 *
 * <p>In atomic mode an access holds a lock from its first byte to its last; a collective access is
 * then one such access on each rank.
 *
 * <p>Thread rule: {@link #alone} is safe; {@link #collectively} is for one thread at a time, and
 * may run concurrently with {@code alone}.
 */
final class ViewTransfer {

  /** The tile by which a view without gaps is declared: long, so that accesses take one piece. */
  private static final long WITHOUT_GAPS_BYTES = 1L << 60;

  private final Communicator comm;
  private final ByteStore store;
  private final FileSystemTraits traits;
  private final ReentrantLock aloneLock = new ReentrantLock();
  private CollectiveIo group;
  private CollectiveIo single;
  private Supplier<FileRangeLock> atomicLocks;
  private FileRangeLock atomic;
  private FileRangeLock.Limit limit;
  private FileView declared;
  private boolean byView;

  ViewTransfer(Communicator comm, ByteStore store, FileSystemTraits traits, Hints hints) {
    this.comm = comm;
    this.store = store;
    this.traits = traits;
    open(hints);
  }

  private void open(Hints hints) {
    limit = FileRangeLock.Limit.of(comm, hints);
    if (atomic != null) {
      atomic.limited(limit);
    }
    byView = hints.choice().collective().equals("view");
    group = CollectiveIo.open(comm, store, hints, traits);
    single = CollectiveIo.open(comm, store, hints, traits);
    group.prepare();
  }

  /**
   * Changes the hints; collective.
   *
   * @param view this rank's view
   */
  void reopen(Hints hints, FileView view) {
    aloneLock.lock();
    try {
      group.close();
      single.close();
      open(hints);
    } finally {
      aloneLock.unlock();
    }
    declare(view);
  }

  /**
   * Declares this rank's view to all ranks, if the hints request view-based collective access; no
   * lists are exchanged until the next view. Collective.
   */
  void declare(FileView view) {
    declared = null;
    if (!byView) {
      return;
    }
    ExtentRuns tile = ExtentRuns.copyOf(AccessExtents.inFile(view, 0, view.tileBytes()));
    long first = tile.isEmpty() ? 0 : tile.first();
    long extent = Math.max(view.tileExtent(), tile.isEmpty() ? 0 : tile.endExclusive() - first);
    if (tile.totalBytes() == extent) {
      group.declareView(first, ExtentRuns.of(0, WITHOUT_GAPS_BYTES), WITHOUT_GAPS_BYTES);
    } else {
      group.declareView(first, tile.moved(-first), extent);
    }
    declared = view;
  }

  /** Moves the extents of all ranks to the order of domains, on one rank. */
  List<ExtentRuns> byDomain(List<ExtentRuns> lists) {
    return group.byDomain(lists);
  }

  /** Assigns parts of the file to ranks if hints name a rule for that; collective. */
  Optional<int[]> rankOfParts(long[][] shares, int parts) {
    return group.rankOfParts(shares, parts);
  }

  /**
   * Sets the locks that every later access holds.
   *
   * @param locks creates locks, each of which can hold one range; null for none
   */
  void setAtomic(Supplier<FileRangeLock> locks) {
    aloneLock.lock();
    try {
      if (atomic != null) {
        atomic.close();
      }
      atomicLocks = locks;
      atomic = locks == null ? null : locks.get().limited(limit);
    } finally {
      aloneLock.unlock();
    }
  }

  /** Executes an access of this rank alone. */
  AccessStatus alone(PositionedAccess access) {
    ExtentList list = access.extents();
    aloneLock.lock();
    try {
      if (atomic != null && !list.isEmpty()) {
        atomic.lock(list.first(), list.endExclusive());
      }
      try (StagedAccess staged = StagedAccess.of(access, cut(access, list))) {
        moveAlone(staged);
        return staged.finish();
      } finally {
        if (atomic != null) {
          atomic.unlock();
        }
      }
    } finally {
      aloneLock.unlock();
    }
  }

  private void moveAlone(StagedAccess staged) {
    if (staged.list().isEmpty()) {
      return;
    }
    if (staged.access().write()) {
      single.writeAlone(staged.list(), staged.memory());
    } else {
      single.readAlone(staged.list(), staged.memory());
    }
  }

  /** Executes an access of all ranks; a failure on one is thrown on all. */
  AccessStatus collectively(PositionedAccess access) {
    if (atomic != null) {
      return new Consensus(comm).run(() -> alone(access));
    }
    try (StagedAccess staged = prepared(access)) {
      moveTogether(access, staged);
      return staged.finish();
    }
  }

  private void moveTogether(PositionedAccess access, StagedAccess staged) {
    if (access.view() == declared) {
      long from = access.offset() * declared.etypeBytes();
      if (access.write()) {
        group.writeView(from, staged.memory());
      } else {
        group.readView(from, staged.memory());
      }
    } else if (access.write()) {
      group.write(staged.list(), staged.memory());
    } else {
      group.read(staged.list(), staged.memory());
    }
  }

  private StagedAccess prepared(PositionedAccess access) {
    try {
      return StagedAccess.of(access, cut(access, access.extents()));
    } catch (RuntimeException | Error problem) {
      throw failedTogether(SharedFailure.typed(problem, "access"));
    }
  }

  /**
   * Takes part in the others' access with a failure.
   *
   * @return the failure that all ranks share
   */
  RuntimeException failedTogether(RuntimeException problem) {
    try {
      if (atomic != null) {
        SharedFailure.throwIfAny(comm, SharedFailure.typed(problem, "access"));
      } else {
        group.takePartFailed(problem);
      }
      return problem;
    } catch (HyperslabException shared) {
      return shared;
    }
  }

  /** Starts an access of this rank alone; nothing has been moved when this returns. */
  TransferLane.Moving<AccessStatus> startAlone(
      PositionedAccess access, StartedTransfer.Helpers helpers) {
    StagedAccess staged = StagedAccess.of(access, cut(access, access.extents()));
    try {
      return inLane(
          staged, single.startAlone(access.write(), staged.list(), staged.memory(), helpers));
    } catch (RuntimeException | Error problem) {
      staged.close();
      throw problem;
    }
  }

  /** Returns the resources of a started access; must be called in the order of starting. */
  StartedTransfer.Helpers helpers(boolean collective, Executor workers, Runnable changed) {
    FileRangeLock lock = atomicLocks == null ? null : atomicLocks.get().limited(limit);
    return collective
        ? group.helpers(workers, changed, lock)
        : new StartedTransfer.Helpers(0, workers, changed, lock);
  }

  /** Starts an access of all ranks; a failure on one becomes that of all. Does not wait. */
  TransferLane.Moving<AccessStatus> startTogether(
      PositionedAccess access, StartedTransfer.Helpers helpers) {
    StagedAccess staged = null;
    try {
      staged = StagedAccess.of(access, cut(access, access.extents()));
      return inLane(staged, start(access, staged, helpers));
    } catch (RuntimeException | Error problem) {
      if (staged != null) {
        staged.close();
      }
      return startFailed(SharedFailure.typed(problem, "access"), helpers);
    }
  }

  /** Starts to take part in the others' access with a failure. */
  TransferLane.Moving<AccessStatus> startFailed(
      RuntimeException problem, StartedTransfer.Helpers helpers) {
    return inLane(null, group.startFailed(problem, helpers));
  }

  /**
   * Returns a started transfer for a lane; its end is that of the staged access, if there is one.
   */
  private static TransferLane.Moving<AccessStatus> inLane(
      StagedAccess staged, StartedTransfer started) {
    Runnable untouched = staged == null ? () -> {} : staged::close;
    return started.inLane(
        () -> {
          try (staged) {
            started.outcome();
            return staged == null ? new AccessStatus(0) : staged.finish();
          }
        },
        untouched);
  }

  private StartedTransfer start(
      PositionedAccess access, StagedAccess staged, StartedTransfer.Helpers helpers) {
    if (access.view() == declared && helpers.atomic() == null) {
      long from = access.offset() * declared.etypeBytes();
      return access.write()
          ? group.startWriteView(from, staged.memory(), helpers)
          : group.startReadView(from, staged.memory(), helpers);
    }
    return access.write()
        ? group.startWrite(staged.list(), staged.memory(), helpers)
        : group.startRead(staged.list(), staged.memory(), helpers);
  }

  /**
   * Returns the part of an access before the end of the file if it is a read, otherwise all of it.
   */
  private ExtentList cut(PositionedAccess access, ExtentList list) {
    if (access.write() || list.isEmpty()) {
      return list;
    }
    long end = store.size();
    return list.endExclusive() <= end
        ? list
        : list.slice(0, access.view().available(access.offset(), list.totalBytes(), end));
  }

  /** Describes the components that the last accesses used. */
  String explain() {
    return "collective: " + group.explain() + "; independent: " + single.explain();
  }

  void close() {
    setAtomic(null);
    group.close();
    single.close();
  }
}
