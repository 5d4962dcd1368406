package org.hyperslab.mpiio.engine;

import java.lang.foreign.Arena;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.mpiio.collective.CollectiveIo;
import org.hyperslab.mpiio.collective.StartedTransfer;
import org.hyperslab.mpiio.collective.TransferLane;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Consensus;
import org.hyperslab.mpiio.comm.LimitedCall;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.declared.DeclaredWrites;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.file.AccessRules;
import org.hyperslab.mpiio.file.AccessStatus;
import org.hyperslab.mpiio.file.CompletedAccess;
import org.hyperslab.mpiio.file.DataRepresentation;
import org.hyperslab.mpiio.file.FileEngine;
import org.hyperslab.mpiio.file.FileRequest;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.file.SplitAccess;
import org.hyperslab.mpiio.file.Transfer;
import org.hyperslab.mpiio.file.Whence;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.pointer.IndividualLog;
import org.hyperslab.mpiio.pointer.SharedFilePointer;
import org.hyperslab.mpiio.staged.PositionedAccess;
import org.hyperslab.mpiio.staged.StagedAccess;

/**
 * This library's MPI-IO on a byte store. Collective calls pass through a lane, in order; accesses
 * of one rank alone do not.
 *
 * <p>Thread rule: that of the file.
 */
final class OwnEngine implements FileEngine {

  /** The components of an open file; the engine closes them. */
  record Parts(
      Communicator comm,
      ByteStore store,
      FileContext context,
      AccessRules rules,
      SharedFilePointer shared) {}

  private final Communicator comm;
  private final Consensus ranks;
  private final ByteStore store;
  private final FileContext context;
  private final AccessRules rules;
  private final SharedFilePointer shared;
  private final ViewTransfer mover;
  private final TransferLane lane;
  private final LimitedCall limited;
  private Hints hints;
  private FileView view = FileView.bytes();
  private long pointer;
  private boolean atomic;
  private boolean splitActive;

  /** The number of collective accesses that have been started; the same on all ranks. */
  private long collectives;

  private boolean closed;

  OwnEngine(Parts parts, Hints hints, long pointer) {
    this.comm = parts.comm;
    this.ranks = new Consensus(comm);
    this.store = parts.store;
    this.context = parts.context;
    this.rules = parts.rules;
    this.shared = parts.shared;
    this.hints = hints;
    this.pointer = pointer;
    this.mover = new ViewTransfer(comm, store, context.traits(), hints);
    TransferLane made = new TransferLane(store.name(), context.progress(), hints, comm.ticker());
    this.lane = comm.remembered(TransferLane.class, () -> made); // ends with the communicator
    this.limited = new LimitedCall(comm, lane::markLost);
    shared.limit(hints.deadlineNanos());
  }

  @Override
  public AccessStatus run(Transfer transfer) {
    noSplit(transfer);
    if (!transfer.collective()) {
      return task(transfer).get();
    }
    Supplier<AccessStatus> task = task(transfer);
    return collectively(
        transfer.name(),
        () -> {
          if (atomic) {
            comm.barrier(); // ranks transfer one after the other before they meet again
          }
          return task.get();
        });
  }

  @Override
  public FileRequest start(Transfer transfer) {
    noSplit(transfer);
    if (!transfer.collective() && isLogged(transfer)) {
      rules.check(transfer);
      return new CompletedAccess(logged(transfer, view, (IndividualLog) shared));
    }
    return started(transfer);
  }

  private StartedAccess started(Transfer transfer) {
    boolean anyThread = transfer.reachable();
    collectives += transfer.collective() ? 1 : 0;
    StartedTransfer.Helpers helpers =
        mover.helpers(
            transfer.collective(),
            anyThread ? TransferLane.workers(comm.ticker()) : null,
            lane::changed);
    Thread owner = anyThread ? null : Thread.currentThread();
    try {
      Supplier<TransferLane.Moving<AccessStatus>> begin = begin(transfer, helpers);
      return new StartedAccess(
          lane.start(
              new TransferLane.Start<>(
                  transfer.collective(), transfer.write(), owner, begin, () -> {})));
    } catch (RuntimeException | Error refused) {
      if (helpers.atomic() != null) {
        helpers.atomic().close();
      }
      throw refused;
    }
  }

  /**
   * Makes a collective call when all ranks have come to it, and all accesses that were started
   * before have ended. Ranks that do not come in time are given up.
   *
   * @param call the routine
   */
  private <T> T collectively(String call, Supplier<T> body) {
    return lane.run(() -> limited.run(call, collectives, hints.deadlineNanos(), body));
  }

  /** Places an access to be started, as {@link #task} does. */
  private Supplier<TransferLane.Moving<AccessStatus>> begin(
      Transfer transfer, StartedTransfer.Helpers helpers) {
    FileView seen = view;
    if (!transfer.collective()) {
      rules.check(transfer);
      PositionedAccess access = placed(transfer, seen);
      return () -> mover.startAlone(access, helpers);
    }
    if (transfer.pointer() == Transfer.Pointer.SHARED) {
      var access = collectively("start of " + transfer.name(), () -> ordered(transfer, seen));
      return () -> mover.startTogether(access, helpers);
    }
    try {
      rules.check(transfer);
      PositionedAccess access = placed(transfer, seen);
      return () -> mover.startTogether(access, helpers);
    } catch (RuntimeException problem) {
      return () -> mover.startFailed(problem, helpers);
    }
  }

  @Override
  public SplitAccess begin(Transfer transfer) {
    noSplit(transfer);
    StartedAccess request = started(transfer);
    splitActive = true;
    return () -> {
      if (!splitActive) {
        throw new InvalidUseException(
            transfer.name() + ": actual=already ended, expected=active, at=" + name());
      }
      try {
        return request.await();
      } finally {
        splitActive = !request.ongoing().hasEnded(); // an interrupted rank may end it later
      }
    };
  }

  private void noSplit(Transfer transfer) {
    open();
    if (splitActive && transfer.collective()) {
      throw new InvalidUseException(
          transfer.name()
              + ": actual=a split collective access is active, expected=ended before, at="
              + name());
    }
  }

  /**
   * Places an access. The pointers have moved when this returns, except for accesses in rank order.
   */
  private Supplier<AccessStatus> task(Transfer transfer) {
    FileView seen = view;
    if (!transfer.collective()) {
      rules.check(transfer);
      if (isLogged(transfer)) {
        return () -> logged(transfer, seen, (IndividualLog) shared);
      }
      PositionedAccess access = placed(transfer, seen);
      return () -> mover.alone(access);
    }
    if (transfer.pointer() == Transfer.Pointer.SHARED) {
      return () -> mover.collectively(ordered(transfer, seen));
    }
    try {
      rules.check(transfer);
      PositionedAccess access = placed(transfer, seen);
      return () -> mover.collectively(access);
    } catch (RuntimeException problem) {
      // A rank that cannot transfer anything must still take part.
      return () -> {
        throw mover.failedTogether(problem);
      };
    }
  }

  private boolean isLogged(Transfer transfer) {
    return transfer.pointer() == Transfer.Pointer.SHARED
        && transfer.write()
        && shared instanceof IndividualLog;
  }

  /** Places an access that does not depend on other ranks, and moves the pointer. */
  private PositionedAccess placed(Transfer transfer, FileView seen) {
    long offset =
        switch (transfer.pointer()) {
          case EXPLICIT -> transfer.offset();
          case INDIVIDUAL -> advance(transfer, seen);
          case SHARED -> shared.take(etypes(transfer, seen));
        };
    return new PositionedAccess(transfer.write(), seen, offset, transfer.buffer());
  }

  private long advance(Transfer transfer, FileView seen) {
    long etypes = etypes(transfer, seen);
    long before = pointer;
    pointer = Math.addExact(pointer, etypes);
    return before;
  }

  private static long etypes(Transfer transfer, FileView seen) {
    return new PositionedAccess(transfer.write(), seen, 0, transfer.buffer()).etypes();
  }

  private AccessStatus logged(Transfer transfer, FileView seen, IndividualLog log) {
    PositionedAccess access = new PositionedAccess(true, seen, 0, transfer.buffer());
    try (Arena arena = Arena.ofShared()) {
      log.append(StagedAccess.inFile(access, arena), access.etypes());
      return new AccessStatus(transfer.buffer().bytes());
    }
  }

  /** Places consecutive accesses from the shared pointer on, in rank order. */
  private PositionedAccess ordered(Transfer transfer, FileView seen) {
    settle();
    RuntimeException problem = null;
    long etypes = 0;
    try {
      rules.check(transfer);
      etypes = etypes(transfer, seen);
    } catch (RuntimeException e) {
      problem = e;
    }
    long[] before = {etypes};
    comm.exclusiveScan(before, Reduction.SUM);
    long[] total = {etypes, problem == null ? 0 : 1};
    comm.allReduce(total, Reduction.SUM);
    if (total[1] > 0) {
      RuntimeException mine = problem;
      ranks.run(() -> {
        if (mine != null) {
          throw mine;
        }
        return null;
      });
    }
    long offset = Math.addExact(taken(total[0]), before[0]);
    return new PositionedAccess(transfer.write(), seen, offset, transfer.buffer());
  }

  /** Advances the shared pointer for all ranks, and returns where it was. */
  private long taken(long etypes) {
    if (shared instanceof IndividualLog log) {
      long before = log.get();
      log.set(Math.addExact(before, etypes));
      return before;
    }
    long[] base = new long[1];
    ranks.runOnRoot(() -> base[0] = shared.take(etypes));
    comm.allReduce(base, Reduction.SUM);
    return base[0];
  }

  /** Writes the records that ranks have kept to the file; part of collective calls. */
  private void settle() {
    if (shared instanceof IndividualLog log) {
      FileView seen = view;
      log.settle(comm, (at, bytes) -> mover.alone(PositionedAccess.ofConverted(seen, at, bytes)));
    }
  }

  @Override
  public void setView(FileView next) {
    collectively(
        "setView",
        () -> {
          ranks.run(() -> {
            rules.notSequential("setView with a displacement");
            return null;
          });
          change(next);
          return null;
        });
  }

  @Override
  public void setViewHere(
      DerivedType etype, DerivedType filetype, DataRepresentation representation) {
    collectively(
        "setViewHere",
        () -> {
          FileView next =
              ranks.run(() -> {
                require(
                    rules.modes().contains(AccessMode.SEQUENTIAL),
                    "setView at the present position",
                    rules.modes(),
                    "SEQUENTIAL");
                long here = view.byteOffset(shared.get());
                return FileView.of(here, etype, filetype, representation);
              });
          change(next);
          return null;
        });
  }

  private void change(FileView next) {
    settle();
    ranks.requireSame(
        "view",
        "etypes of "
            + next.etypeBytes()
            + " bytes in the representation "
            + next.representation().name());
    view = next;
    pointer = 0;
    moveShared(0);
    mover.declare(next);
    ViewRecorder.record(comm, ranks, hints, next, mover);
  }

  private void moveShared(long etypes) {
    if (shared instanceof IndividualLog log) {
      log.set(etypes);
    } else {
      ranks.runOnRoot(() -> shared.set(etypes));
    }
  }

  @Override
  public FileView view() {
    return view;
  }

  @Override
  public void setSize(long bytes) {
    resize("setSize", bytes, () -> store.truncate(bytes));
  }

  @Override
  public DeclaredWrites declareWrites(long[] offsets, long[] lengths) {
    return collectively(
        "declareWrites",
        () -> {
          ranks.run(() -> {
            rules.notSequential("declareWrites");
            rules.writable("declareWrites");
            return null;
          });
          DeclaredWrites.Options options = DeclaredWrites.Options.of(info().buffering(), hints);
          return DeclaredWrites.declare(comm, store, options, mover::rankOfParts, offsets, lengths);
        });
  }

  @Override
  public void preallocate(long bytes) {
    resize(
        "preallocate",
        bytes,
        () -> {
          store.preallocate(0, bytes);
          if (store.size() < bytes) {
            store.truncate(bytes);
          }
        });
  }

  private void resize(String routine, long bytes, Runnable change) {
    collectively(
        routine,
        () -> {
          ranks.run(() -> {
            rules.notSequential(routine);
            rules.writable(routine);
            require(bytes >= 0, routine, bytes, "at least 0");
            return null;
          });
          ranks.requireSame(routine, bytes + " bytes");
          ranks.runOnRoot(change);
          return null;
        });
  }

  @Override
  public long size() {
    open();
    return store.size();
  }

  @Override
  public void seek(long offset, Whence whence) {
    open();
    rules.notSequential("seek");
    pointer = target("seek", offset, whence, pointer);
  }

  @Override
  public void seekShared(long offset, Whence whence) {
    collectively(
        "seekShared",
        () -> {
          settle();
          ranks.requireSame("seekShared", offset + " " + whence);
          long[] to = new long[1];
          long present = ranks.run(() -> present(whence));
          ranks.run(() -> {
            rules.notSequential("seekShared");
            to[0] = target("seekShared", offset, whence, present);
            return null;
          });
          moveShared(to[0]);
          return null;
        });
  }

  private long present(Whence whence) {
    return whence == Whence.CURRENT ? shared.get() : 0;
  }

  private long target(String routine, long offset, Whence whence, long present) {
    long base =
        switch (whence) {
          case START -> 0;
          case CURRENT -> present;
          case END -> view.end(store.size());
        };
    long to = base + offset;
    require(to >= 0 && (offset <= 0 || to >= base), routine, offset, "a place in the view");
    return to;
  }

  @Override
  public long position() {
    open();
    rules.notSequential("position");
    return pointer;
  }

  @Override
  public long sharedPosition() {
    open();
    rules.notSequential("sharedPosition");
    return shared.get();
  }

  @Override
  public void setAtomic(boolean wanted) {
    collectively(
        "setAtomic",
        () -> {
          settle();
          ranks.requireSame("setAtomic", Boolean.toString(wanted));
          ranks.run(() -> {
            mover.setAtomic(wanted ? context::atomicLock : null);
            return null;
          });
          atomic = wanted;
          return null;
        });
  }

  @Override
  public boolean atomic() {
    return atomic;
  }

  @Override
  public void sync() {
    collectively(
        "sync",
        () -> {
          comm.barrier(); // what a rank makes durable may take it long
          settle();
          return ranks.run(() -> {
            if (!rules.modes().contains(AccessMode.READ_ONLY)) {
              store.force(true);
            }
            return null;
          });
        });
  }

  @Override
  public void setInfo(Map<String, String> info) {
    collectively(
        "setInfo",
        () -> {
          Hints changed = ranks.run(() -> hints.with(info));
          ranks.requireSame("hints", changed.toMap().toString());
          hints = changed;
          lane.use(changed);
          shared.limit(changed.deadlineNanos());
          mover.reopen(changed, view);
          return null;
        });
  }

  @Override
  public Hints info() {
    return hints.with(CollectiveOpen.SHARED_POINTER, shared.name());
  }

  @Override
  public String explain() {
    return "own MPI-IO; shared pointer: "
        + shared.name()
        + "; started accesses go on "
        + context.progress().describe()
        + ", their requests "
        + CollectiveIo.describeRequests(store, hints)
        + "; "
        + mover.explain()
        + context.traits().ignored(hints);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    require(!splitActive, "close", "a split collective access is active", "ended before");
    if (lane.isLost()) {
      closeAlone();
      return;
    }
    try {
      closeTogether();
    } catch (RuntimeException failed) {
      if (lane.isLost()) {
        closeAlone();
      }
      throw failed; // with other ranks away, the file is closed all the same
    }
    closed = true;
    lane.close();
    comm.close();
  }

  private void closeTogether() {
    collectively(
        "close",
        () -> {
          comm.barrier();
          settle();
          mover.close();
          comm.barrier(); // until then others may use the shared pointer
          shared.close();
          store.close();
          Set<AccessMode> modes = rules.modes();
          ranks.runOnRoot(() -> context.delete(modes.contains(AccessMode.DELETE_ON_CLOSE)));
          return null;
        });
  }

  /** Closes the file on this rank alone, after the ranks have lost contact. */
  private void closeAlone() {
    closed = true;
    lane.close();
    mover.close();
    shared.close();
    store.close();
    comm.leave();
  }

  private void open() {
    require(!closed, "file", "closed", "open");
  }

  private void require(boolean holds, String what, Object actual, String expected) {
    if (!holds) {
      throw new InvalidUseException(
          what + ": actual=" + actual + ", expected=" + expected + ", at=" + name());
    }
  }

  private String name() {
    return store.name();
  }
}
