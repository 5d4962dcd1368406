package org.hyperslab.vol.passthrough;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.SharedMemory;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;
import org.hyperslab.vol.TrackedFuture;
import org.hyperslab.vol.Uninterrupted;
import org.jspecify.annotations.Nullable;

/**
 * Runs operations in the background, on threads of its own, so that submitting returns at once.
 *
 * <p>Each open file has a queue, called its lane. The operations of a lane run one at a time, in
 * the order of their submission. An operation that names objects of two files, such as a copy, is
 * in both lanes and waits for both. Files opened by the same name share a lane.
 *
 * <p>A failure is reported by the stage of its operation. If that stage has not been observed, the
 * next flush or close of the file fails with it too, so that no failed write is lost.
 *
 * <p>An operation whose memory is confined to one thread (a confined arena) waits for its turn in
 * the submitting thread and runs there.
 *
 * <p>Callbacks of results run in the threads of this connector, and may make calls that wait: other
 * threads then run the operations.
 *
 * <p>The queue is bounded: when {@code queue} operations are waiting or running, submitting blocks
 * until one has completed, except in this connector's own threads. Thread rule: any thread.
 */
public final class AsyncConnector extends PassThroughConnector {

  /** How many threads may wait in calls that callbacks make, besides those that run operations. */
  private static final int MOST_WAITING = 1 << 12;

  private static final int IDLE_SECONDS = 60;

  /** A pool that starts another thread while one waits for an operation, in a callback. */
  private final ForkJoinPool workers;

  private final Semaphore places;

  /** How many results the current thread is publishing. */
  private final ThreadLocal<Integer> publishing = ThreadLocal.withInitial(() -> 0);

  private final Object lock = new Object();

  private final Map<Handle, Lane> lanes = new HashMap<>();
  private final Map<String, Lane> byName = new HashMap<>();
  private long active;
  private boolean closed;

  /** The queue of one file's operations; guarded by the lock. */
  private static final class Lane {
    final String name;
    CompletableFuture<?> tail = CompletableFuture.completedFuture(null);
    final List<Failed> failures = new ArrayList<>();
    final Set<Handle> files = new HashSet<>();
    final Set<Handle> objects = new HashSet<>();

    Lane(String name) {
      this.name = name;
    }
  }

  /** Records a failed edit, and the future through which the caller may have observed it. */
  private record Failed(TrackedFuture<?> result, Throwable cause) {}

  /** An operation in its lanes; {@code counted} if it holds a place in the queue. */
  private record Task<R>(
      Operation<R> operation,
      TrackedFuture<R> result,
      Set<Lane> lanes,
      CompletableFuture<Void> ended,
      boolean counted) {}

  /**
   * Runs operations of a connector in the background, and closes it with itself.
   *
   * @param below the connector that operations are passed to
   * @param threads how many threads run operations, at least 1
   * @param queue how many operations may wait or run, at least 1
   */
  public AsyncConnector(Connector below, int threads, int queue) {
    super("async", below, Capability.ASYNCHRONOUS);
    this.places = new Semaphore(queue, true);
    AtomicInteger number = new AtomicInteger();
    this.workers =
        new ForkJoinPool(
            threads,
            pool -> new Worker(pool, number.incrementAndGet()),
            null,
            true,
            threads,
            threads + MOST_WAITING,
            threads,
            _ -> true,
            IDLE_SECONDS,
            TimeUnit.SECONDS);
  }

  /** A thread that runs operations. */
  private static final class Worker extends ForkJoinWorkerThread {
    Worker(ForkJoinPool pool, int number) {
      super(pool);
      setName("hyperslab-async-" + number);
      setDaemon(true);
    }
  }

  private boolean isWorker() {
    return Thread.currentThread() instanceof Worker worker && worker.getPool() == workers;
  }

  @Override
  public <R> CompletionStage<R> submit(Operation<R> operation) {
    boolean counted = !isWorker();
    if (counted) {
      places.acquireUninterruptibly();
    }
    Task<R> task;
    CompletableFuture<Void> before;
    synchronized (lock) {
      if (closed) {
        places.release(counted ? 1 : 0);
        return CompletableFuture.failedFuture(
            new InvalidUseException("connector: actual=closed, expected=open, at=async"));
      }
      active++;
      task =
          new Task<>(
              operation,
              new TrackedFuture<>(),
              lanesOf(operation),
              new CompletableFuture<>(),
              counted);
      before = enqueue(task);
    }
    if (isConfined(operation)) {
      before.join();
      run(task);
    } else {
      before.whenCompleteAsync((done, ignored) -> run(task), workers);
    }
    return task.result;
  }

  /** Puts a task at the end of its lanes; the result completes when it may run. */
  private static CompletableFuture<Void> enqueue(Task<?> task) {
    CompletableFuture<?>[] tails =
        task.lanes.stream().map(lane -> lane.tail).toArray(CompletableFuture[]::new);
    task.lanes.forEach(lane -> lane.tail = task.ended);
    return CompletableFuture.allOf(tails);
  }

  /**
   * Returns whether only the submitting thread may access the operation's memory, so that it must
   * run there.
   */
  private boolean isConfined(Operation<?> operation) {
    return switch (operation) {
      case DatasetOperation.Read o -> isConfined(o.target().elements());
      case DatasetOperation.Write o -> isConfined(o.source().elements());
      case DatasetOperation.Multi o -> o.parts().stream().anyMatch(this::isConfined);
      case DatasetOperation.WriteChunk o -> isConfined(o.chunk().bytes());
      case AttributeOperation.Read o -> isConfined(o.target().elements());
      case AttributeOperation.Write o -> isConfined(o.source().elements());
      case AttributeOperation.Set o -> isConfined(o.content().source().elements());
      default -> false;
    };
  }

  private boolean isConfined(MemorySegment segment) {
    return !SharedMemory.isShared(segment);
  }

  private <R> void run(Task<R> task) {
    CompletionStage<R> stage;
    try {
      stage = below.submit(task.operation);
    } catch (RuntimeException | Error e) {
      stage = CompletableFuture.failedFuture(e);
    }
    TrackedFuture.watch(stage, (value, failure) -> completed(task, value, failure));
  }

  /** Releases the lanes before the result is published, because waiting callers may use them. */
  private <R> void completed(Task<R> task, R value, Throwable failure) {
    Throwable outcome;
    synchronized (lock) {
      outcome = settle(task, Connectors.causeOf(failure));
    }
    task.ended.complete(null);
    if (task.counted) {
      places.release();
    }
    publishing.set(publishing.get() + 1);
    try {
      task.result.follow(value, outcome);
    } finally {
      publishing.set(publishing.get() - 1);
    }
    synchronized (lock) {
      active--;
      lock.notifyAll();
    }
  }

  /**
   * Records a failed edit, or adds a failure that was not observed to the outcome of a flush or
   * close.
   */
  private @Nullable Throwable settle(Task<?> task, @Nullable Throwable failure) {
    Operation<?> operation = task.operation;
    Throwable outcome = failure;
    for (Lane lane : task.lanes) {
      if (operation.flushes()) {
        Throwable unseen = takeUnseen(lane);
        outcome = outcome == null ? unseen : outcome;
      } else if (failure != null && operation.edits()) {
        lane.failures.add(new Failed(task.result, failure));
      }
      boolean gone =
          operation instanceof FileOperation.Close
              || (failure != null && operation instanceof FileOperation.Open)
              || (failure != null && operation instanceof FileOperation.Create);
      if (gone && lane.files.remove(operation.subject()) && lane.files.isEmpty()) {
        forget(lane);
      }
      if (operation instanceof ObjectOperation.Close && lane.objects.remove(operation.subject())) {
        lanes.remove(operation.subject());
      }
    }
    return outcome;
  }

  private static @Nullable Throwable takeUnseen(Lane lane) {
    Throwable unseen = null;
    for (Failed failed : lane.failures) {
      if (unseen == null && !failed.result.isObserved()) {
        unseen = failed.cause;
      }
    }
    lane.failures.clear();
    return unseen;
  }

  private void forget(Lane lane) {
    lane.objects.forEach(lanes::remove);
    lanes.values().removeIf(other -> other == lane);
    byName.remove(lane.name, lane);
  }

  /**
   * Returns the lanes that an operation is in; what it opens is in the first of them from then on.
   */
  private Set<Lane> lanesOf(Operation<?> operation) {
    Set<Lane> found = new LinkedHashSet<>();
    switch (operation) {
      case FileOperation.Open o -> found.add(laneOf(o.name(), o.file()));
      case FileOperation.Create o -> found.add(laneOf(o.name(), o.file()));
      case FileOperation.Exists o -> addIfPresent(byName.get(o.name()), found);
      case FileOperation.Delete o -> addIfPresent(byName.get(o.name()), found);
      default -> {
        operation.uses().forEach(handle -> addIfPresent(lanes.get(handle), found));
        if (operation.opens().isPresent() && !found.isEmpty()) {
          Lane lane = found.iterator().next();
          lanes.put(operation.opens().get(), lane);
          lane.objects.add(operation.opens().get());
        }
      }
    }
    return found;
  }

  private static void addIfPresent(@Nullable Lane lane, Set<Lane> found) {
    if (lane != null) {
      found.add(lane);
    }
  }

  /**
   * Returns the lane of a file that is opened: shared by all that have it open by the same name.
   */
  private Lane laneOf(String name, Handle file) {
    Lane lane = byName.computeIfAbsent(name, Lane::new);
    lane.files.add(file);
    lanes.put(file, lane);
    return lane;
  }

  /**
   * Completes the submitted operations, then closes the connector below. A callback may call it, in
   * which the operation that it follows counts as completed.
   */
  @Override
  public void close() {
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
      awaitIdle();
    }
    workers.shutdown();
    below.close();
  }

  private void awaitIdle() {
    int own = publishing.get();
    Uninterrupted.await(lock, () -> active > own);
  }
}
