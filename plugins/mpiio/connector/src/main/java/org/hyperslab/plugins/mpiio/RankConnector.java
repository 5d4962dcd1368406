package org.hyperslab.plugins.mpiio;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.plugins.mpiio.agree.Agreement;
import org.hyperslab.plugins.mpiio.agree.CallText;
import org.hyperslab.plugins.mpiio.agree.ComparedCall;
import org.hyperslab.plugins.mpiio.agree.DeferredOperations;
import org.hyperslab.plugins.mpiio.agree.PendingFuture;
import org.hyperslab.plugins.mpiio.agree.RootCalls;
import org.hyperslab.plugins.mpiio.agree.StartedFuture;
import org.hyperslab.plugins.mpiio.dataset.IndependentTransfers;
import org.hyperslab.plugins.mpiio.dataset.MultiDatasets;
import org.hyperslab.plugins.mpiio.dataset.OpenHandles;
import org.hyperslab.plugins.mpiio.dataset.OpenHandles.Opened;
import org.hyperslab.plugins.mpiio.dataset.ParallelDataset;
import org.hyperslab.plugins.mpiio.dataset.QueryAnswers;
import org.hyperslab.plugins.mpiio.dataset.RankQueries;
import org.hyperslab.plugins.mpiio.report.NoCollectiveCause;
import org.hyperslab.plugins.mpiio.report.TransferLog;
import org.hyperslab.plugins.mpiio.report.TransferReport;
import org.hyperslab.plugins.mpiio.transfer.RawFile;
import org.hyperslab.plugins.nativevol.NativeConnector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;

/**
 * One rank's part of the connector: determines which operations are collective, and executes these
 * in step with the other ranks.
 *
 * <p>Thread rule: any thread; collective operations take turns.
 */
final class RankConnector implements AutoCloseable {

  /**
   * The time after which ranks agree on deferred operations even if no result is needed, because
   * other ranks may wait for the agreement: long beside a message, short for a person.
   */
  private static final long AGREE_AFTER_MILLIS = 50;

  /** Runs actions after {@link #AGREE_AFTER_MILLIS}. */
  static final Executor LATER =
      CompletableFuture.delayedExecutor(AGREE_AFTER_MILLIS, TimeUnit.MILLISECONDS, Runnable::run);

  /**
   * The time after which rank 0 executes what ranks have deferred: several calls in a row have been
   * made by then, and are answered in one block.
   */
  private static final long COLLECT_MICROS = 200;

  private static final Executor AFTER_COLLECTING =
      CompletableFuture.delayedExecutor(COLLECT_MICROS, TimeUnit.MICROSECONDS, Runnable::run);

  /**
   * The pause of rank 0 between two tests for the reports of other ranks: the time of a few
   * messages, so that testing takes little of a core.
   */
  private static final long REPORT_PAUSE_NANOS = 100_000;

  /** How long rank 0 tests: until the ranks agree anyway. */
  private static final long REPORT_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(AGREE_AFTER_MILLIS);

  private static final String READ = "read";
  private static final String WRITE = "write";

  private final Communicator comm;
  private final boolean collectiveAlways;

  private final Executor later;

  /** Whether a thread of the connector may settle what the rank's own thread has deferred. */
  private final boolean defers;

  /** Whether this is rank 0, and executes what ranks have deferred before a result is needed. */
  private final boolean executesEarly;

  private final Agreement agreement;
  private final NativeConnector engine;
  private final OpenHandles handles;
  private final CallText texts;
  private final RootCalls rootCalls;
  private final OpenObjects objects;

  /** What this rank asks rank 0 by itself; nothing if metadata is read together. */
  private final RankQueries queries;

  private final IndependentTransfers ownTransfers;

  /** Unregisters this connector's list of open resources from MPI. */
  private final Runnable unwatch;

  private final ReentrantLock turn = new ReentrantLock();

  /** Callbacks of deferred operations that have ended, to be run when this rank's turn is over. */
  private final List<Runnable> callbacks = new ArrayList<>();

  private final AtomicBoolean looking = new AtomicBoolean();

  /** Whether a thread of rank 0 executes what all ranks have deferred, or is about to. */
  private final AtomicBoolean isExecutingEarly = new AtomicBoolean();

  private volatile boolean isDeferring;

  private final TransferLog log = new TransferLog();

  /**
   * Creates a rank; collective.
   *
   * @param world the ranks; messages travel on a duplicate of it
   * @param forget receives handles that have become invalid
   * @param later runs the actions that settle deferred operations after a delay
   */
  RankConnector(Communicator world, MpiioOptions options, Consumer<Handle> forget, Executor later) {
    this.later = later;
    long deadline = options.hints().deadlineNanos();
    this.comm = world.size() == 1 ? world : duplicate(world, deadline);
    this.collectiveAlways = options.alwaysCollective();
    boolean alone = options.independentMetadata() && comm.size() > 1;
    // What is not agreed on yet has no address, by which ranks name objects that they open alone.
    this.defers = !alone && Worlds.takeOtherThreads(comm);
    this.handles = new OpenHandles(this::settle, alone);
    this.texts = new CallText(handles::label);
    this.agreement = new Agreement(comm, deadline);
    // Between threads, an answer waits until all ranks take it. On a core that ranks share, a
    // thread that answers gets its turn after them, and the rank's own thread waits for it.
    boolean hasCores = Worlds.mpi(comm).isPresent() && !Worlds.shareCores();
    this.executesEarly = defers && later == LATER && hasCores && agreement.hears();
    this.engine = comm.rank() == 0 ? new NativeConnector() : null;
    this.rootCalls =
        new RootCalls(
            agreement,
            engine,
            operation -> operation.uses().forEach(handles::requireNotFailed),
            options.hints());
    this.unwatch = Worlds.mpi(comm).map(c -> c.mpi().watchOpen(this::openFiles)).orElse(() -> {});
    RawFiles rawFiles = isAlone() ? null : new RawFiles(agreement, options);
    this.queries = alone ? queries(rawFiles, deadline) : RankQueries.none();
    this.ownTransfers = new IndependentTransfers(handles, queries, log);
    this.objects =
        isAlone()
            ? null
            : new OpenObjects(
                handles,
                rootCalls,
                queries,
                rawFiles,
                options.earlyAllocation(),
                handle -> {
                  queries.closed(handle);
                  forget.accept(handle);
                });
  }

  private RankQueries queries(RawFiles rawFiles, long deadline) {
    if (engine == null) {
      return RankQueries.ofRank(handles, deadline);
    }
    QueryAnswers answers = new QueryAnswers(engine, handles, this::snapshot, deadline);
    return RankQueries.ofRoot(handles, deadline, answers, comm.size() - 1, rawFiles.isOneMachine());
  }

  private byte[] snapshot(Object result, Handle handle, boolean created) {
    return objects.snapshot(result, handle, created);
  }

  private static Communicator duplicate(Communicator world, long deadline) {
    world.meet("connect", deadline);
    world.limit(deadline);
    try {
      return world.duplicate();
    } finally {
      world.limit(0);
    }
  }

  private List<String> openFiles() {
    return isAlone() ? List.of() : handles.files().stream().map(Opened::label).toList();
  }

  /** Returns whether this is the only rank. */
  boolean isAlone() {
    return comm.size() == 1;
  }

  TransferLog log() {
    return log;
  }

  <R> CompletionStage<R> submit(Operation<R> operation) {
    if (isAlone()) {
      noteAlone(operation);
      return engine.submit(operation);
    }
    try {
      if (defers && DeferredOperations.contain(operation)) {
        return inTurn(() -> defer(operation));
      }
      if (isCollectiveTransfer(operation)) {
        return transfer(operation);
      }
      return CompletableFuture.completedFuture(execute(operation));
    } catch (RuntimeException | Error failure) {
      HyperslabException typed = SharedFailure.typed(failure, operation.getClass().getSimpleName());
      operation.opens().ifPresent(handle -> handles.fail(handle, typed));
      return CompletableFuture.failedFuture(typed);
    }
  }

  private boolean isCollectiveTransfer(Operation<?> operation) {
    return switch (operation) {
      case DatasetOperation.Read read -> isCollective(read.transfer().options());
      case DatasetOperation.Write write -> isCollective(write.transfer().options());
      default -> false;
    };
  }

  /** Moves elements with all ranks; a large transfer may continue in the background. */
  @SuppressWarnings("unchecked") // transfers have no result
  private <R> CompletionStage<R> transfer(Operation<R> operation) {
    StartedFuture future = new StartedFuture();
    TransferReport done = inTurn(() -> transferred(operation, future));
    if (done != null) {
      log.add(operation instanceof DatasetOperation.Read ? READ : WRITE, done);
      future.complete(null);
    }
    return (CompletionStage<R>) future;
  }

  /**
   * Moves elements with all ranks. Collective.
   *
   * @param future the future of a transfer that may continue in the background; null to wait for
   *     its end
   * @return the report of the transfer; null if it continues in the background
   */
  private TransferReport transferred(Operation<?> operation, StartedFuture future) {
    agreement.requireNoDivergence();
    ComparedCall call = texts.of(operation);
    return switch (operation) {
      case DatasetOperation.Read read -> {
        ParallelDataset dataset = handles.requireDataset(read.dataset()).dataset();
        yield dataset.read(call, read.transfer(), read.target(), background(future, READ));
      }
      case DatasetOperation.Write write -> {
        ParallelDataset dataset = handles.requireWritable(write.dataset()).dataset();
        TransferReport report =
            dataset.write(call, write.transfer(), write.source(), background(future, WRITE));
        if (dataset.isVirtual()) {
          objects.refreshAll();
        }
        yield report;
      }
      default -> throw new IllegalArgumentException(operation.toString());
    };
  }

  private ParallelDataset.BackgroundTransfer background(StartedFuture future, String what) {
    return future == null
        ? null
        : new ParallelDataset.BackgroundTransfer(future, report -> log.add(what, report));
  }

  private void noteAlone(Operation<?> operation) {
    if (isTransfer(operation)) {
      log.add(
          operation.edits() ? WRITE : READ,
          TransferReport.independent(Set.of(NoCollectiveCause.ONE_RANK), 0, "the native engine"));
    }
  }

  private static boolean isTransfer(Operation<?> operation) {
    return operation instanceof DatasetOperation.Read
        || operation instanceof DatasetOperation.Write
        || operation instanceof DatasetOperation.Multi;
  }

  @SuppressWarnings("unchecked") // an operation's record states the type of its result
  private <R> R execute(Operation<R> operation) {
    if (isCloseOfNothing(operation)) {
      return null;
    }
    boolean independent =
        switch (operation) {
          case DatasetOperation.Read read -> !isCollective(read.transfer().options());
          case DatasetOperation.Write write -> !isCollective(write.transfer().options());
          case DatasetOperation.Multi multi -> !isCollective(multi.options());
          default -> false;
        };
    if (independent) {
      ownTransfers.carryOut(operation);
      return null;
    }
    if (operation instanceof DatasetOperation.Describe describe && describesLocally(describe)) {
      return (R) handles.requireDataset(describe.dataset()).dataset().describe();
    }
    if (RankQueries.areEnoughFor(operation) && queries.arePossible()) {
      return (R) inTurn(() -> query(operation));
    }
    return (R) inTurn(() -> collective(operation));
  }

  /** Carries out an operation that changes nothing, for this rank alone. */
  private Object query(Operation<?> operation) {
    agreement.requireNoDivergence();
    RootCalls.Answer answer = queries.ask(operation);
    return operation.opens().isPresent() ? objects.openedAlone(operation, answer) : answer.result();
  }

  /** Runs a collective action, then reports the outcomes of deferred operations to users. */
  private <T> T inTurn(Supplier<T> action) {
    List<Runnable> ended = List.of();
    turn.lock();
    try {
      return action.get();
    } finally {
      if (turn.getHoldCount() == 1) {
        ended = List.copyOf(callbacks);
        callbacks.clear();
        isDeferring = agreement.deferred() > 0;
      }
      turn.unlock();
      ended.forEach(Runnable::run);
    }
  }

  /**
   * Returns whether this rank can describe a dataset by itself, as it is described before each
   * transfer.
   */
  private boolean describesLocally(DatasetOperation.Describe describe) {
    return !handles.requireDataset(describe.dataset()).dataset().isVirtual();
  }

  private boolean isCollective(TransferOptions options) {
    return collectiveAlways || options.collective();
  }

  /**
   * Returns whether an operation closes an object that is already closed, and removes its handle.
   */
  private boolean isCloseOfNothing(Operation<?> operation) {
    boolean close =
        operation instanceof ObjectOperation.Close || operation instanceof FileOperation.Close;
    if (close && handles.find(operation.subject()) == null) {
      handles.remove(operation.subject());
      return true;
    }
    return false;
  }

  // --- by this rank alone ---

  // --- by all ranks ---

  /** Defers an operation until the next one whose result is needed, for a limited time. */
  private <R> CompletionStage<R> defer(Operation<R> operation) {
    agreement.requireNoDivergence();
    PendingFuture<R> future = new PendingFuture<>(this::settle);
    objects.defer(
        texts.of(operation),
        operation,
        new OpenObjects.Outcome() {
          @Override
          @SuppressWarnings("unchecked") // an operation's record states the type of its result
          public void done(Object result) {
            callbacks.add(() -> future.complete((R) result));
          }

          @Override
          public void failed(HyperslabException failure) {
            callbacks.add(() -> future.completeExceptionally(failure));
          }
        });
    if (looking.compareAndSet(false, true)) {
      later.execute(this::advanceTransfers);
    }
    // A call that its caller waits for is the only one: several show that the caller goes on.
    if (executesEarly && agreement.deferred() > 1 && isExecutingEarly.compareAndSet(false, true)) {
      AFTER_COLLECTING.execute(() ->
          Thread.ofPlatform().daemon().name("hyperslab-mpiio-early").start(this::executeEarly));
    }
    return future;
  }

  /**
   * Executes, on rank 0, what all ranks have deferred, while the rank's own thread does other work;
   * so no rank waits for it later. Gives up after a while if other ranks do not come.
   */
  private void executeEarly() {
    long end = System.nanoTime() + REPORT_LIMIT_NANOS;
    try {
      while (isDeferring && System.nanoTime() < end) {
        inTurn(() -> {
          agreement.settleReported();
          return null;
        });
        LockSupport.parkNanos(REPORT_PAUSE_NANOS);
      }
    } finally {
      isExecutingEarly.set(false);
    }
  }

  /**
   * Settles deferred operations, for which other ranks may wait while this one's threads do other
   * work.
   */
  private void advanceTransfers() {
    looking.set(false);
    if (isDeferring) {
      Thread.ofPlatform().daemon().name("hyperslab-mpiio-settle").start(this::settle);
    }
  }

  /** Makes the ranks agree on the operations that this one has deferred. */
  private void settle() {
    inTurn(() -> {
      agreement.settle();
      return null;
    });
  }

  private Object collective(Operation<?> operation) {
    if (operation instanceof ObjectOperation.Close close) {
      return closeHere(close);
    }
    if (agreement.isLost()) {
      return afterDivergence(operation);
    }
    if (operation instanceof DatasetOperation.Multi multi) {
      together(texts.of(multi), multi);
      return null;
    }
    handles.files().forEach(RankConnector::settleTransfers);
    boolean reportsFailures =
        operation instanceof FileOperation.Flush
            || operation instanceof FileOperation.Close
            || operation instanceof ObjectOperation.Flush;
    RawFile bytes = reportsFailures ? handles.require(operation.subject()).file().raw() : null;
    Object result = carriedOut(operation);
    HyperslabException unreported = bytes == null ? null : bytes.takeUnreportedFailure();
    if (unreported != null) {
      throw unreported;
    }
    return result;
  }

  /** A file is closed even if the ranks diverge over that: by each rank for itself. */
  private Object carriedOut(Operation<?> operation) {
    try {
      return objects.execute(texts.of(operation), operation);
    } catch (HyperslabException failure) {
      if (operation instanceof FileOperation.Close && agreement.isLost()) {
        try {
          afterDivergence(operation);
        } catch (HyperslabException closing) {
          failure.addSuppressed(closing);
        }
      }
      throw failure;
    }
  }

  /** Waits for started transfers before anything else changes, because places may change then. */
  private static void settleTransfers(Opened file) {
    if (file.file().raw() != null) {
      file.file().raw().settle();
    }
  }

  /** Transfers several datasets in one access if every rank can, otherwise dataset by dataset. */
  private void together(ComparedCall call, DatasetOperation.Multi multi) {
    Optional<TransferReport> report =
        ParallelDataset.together(call, multi, MultiDatasets.datasets(multi, handles));
    if (report.isPresent()) {
      log.add(multi.edits() ? WRITE : READ, report.get());
    } else {
      MultiDatasets.each(
          multi, part -> log.add(multi.edits() ? WRITE : READ, transferred(part, null)));
    }
  }

  /** Closes an object on this rank; in the engine it stays open until rank 0 closes it. */
  private Object closeHere(ObjectOperation.Close close) {
    objects.drop(handles.require(close.object()));
    return engine == null ? null : RootCalls.await(engine, close);
  }

  /**
   * Executes an operation after the ranks have diverged: only closing files is possible, by each
   * rank for itself.
   */
  private Object afterDivergence(Operation<?> operation) {
    if (operation instanceof FileOperation.Close close) {
      settleTransfers(handles.require(close.file()));
      objects.dropFile(handles.require(close.file()));
      ownTransfers.forget(close.file());
      return engine == null ? null : RootCalls.await(engine, close);
    }
    agreement.requireNoDivergence();
    return null;
  }

  @Override
  public void close() {
    try {
      if (objects != null) {
        for (Opened file : handles.files()) {
          submit(new FileOperation.Close(file.handle()));
        }
      }
    } finally {
      unwatch.run();
      ownTransfers.close();
      queries.close();
      if (engine != null) {
        engine.close();
      }
      agreement.close();
      if (comm.size() > 1) {
        comm.close();
      }
    }
  }
}
