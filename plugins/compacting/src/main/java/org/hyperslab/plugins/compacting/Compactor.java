package org.hyperslab.plugins.compacting;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.Uninterrupted;

/**
 * Queues the requests of many clients per dataset, and carries them out batch by batch.
 *
 * <p>The promise on order: what requests do to overlapping elements, and what they see of them, is
 * as if all were carried out one by one in the order in which {@link #submit} was called. A read
 * may be answered from a write that has not reached the storage yet, and fails there later.
 *
 * <p>Every request gets exactly one reply. A merged request that fails is repeated request by
 * request, so that each reply tells of the request's own failure only.
 *
 * <p>Thread rule: any thread may submit; the order among threads is that in which they get in.
 * Replies complete in threads of the executor, or in the one that submits; what depends on them
 * must not block there.
 */
public final class Compactor implements AutoCloseable {

  /**
   * A request of at most so many bytes need not wait for a large batch that it does not concern.
   */
  public static final long SMALL_BYTES = 64 << 10;

  /** What is ahead of a small request is large from so many bytes on. */
  public static final long LARGE_BYTES = 8 << 20;

  /** In a key: what belongs to no dataset. Barriers of one scope meet on a lane of such a key. */
  private static final long CONTROL = Long.MIN_VALUE;

  private final StorageLayer layer;
  private final CompactorOptions options;
  private final Executor executor;
  private final Trigger trigger;
  private final long largeBytes;
  private final Planner planner;
  private final Admission admission;
  private final Tally tally = new Tally();
  private final AtomicLong unanswered = new AtomicLong();
  private final Object idle = new Object();
  private final Map<DataKey, Lane> lanes = new ConcurrentHashMap<>();

  /** Guards the making of lanes and the barriers that more than one lane must come to. */
  private final Object registry = new Object();

  private final Map<Entry, Scope> pending = new LinkedHashMap<>();

  /** What is to be executed before anything else. */
  private final Queue<Runnable> first = new ConcurrentLinkedQueue<>();

  private volatile Consumer<Trace> listener = trace -> {};
  private volatile boolean closed;

  /**
   * A compactor with nothing queued.
   *
   * @param layer what carries out merged requests
   * @param options how it works
   * @param executor runs planning, copies and calls to the layer; not closed with it. A pool's size
   *     limits how many requests are under way in a layer that completes before it returns
   * @param trigger the clock for gathering
   */
  public Compactor(
      StorageLayer layer, CompactorOptions options, Executor executor, Trigger trigger) {
    this(layer, options, executor, trigger, LARGE_BYTES);
  }

  /** As the other, with another number of bytes that is large ahead of a small request. */
  Compactor(
      StorageLayer layer,
      CompactorOptions options,
      Executor executor,
      Trigger trigger,
      long largeBytes) {
    this.largeBytes = largeBytes;
    this.layer = layer;
    this.options = options;
    this.executor = executor;
    this.trigger = trigger;
    this.planner = new Planner(options);
    this.admission = new Admission(options.maxQueuedBytes(), options.maxQueuedRequests());
  }

  CompactorOptions options() {
    return options;
  }

  /** Whether so many bytes ahead are too many for a small request to wait for. */
  boolean isLarge(long bytesAhead) {
    return bytesAhead >= largeBytes;
  }

  Trigger trigger() {
    return trigger;
  }

  boolean isPressed() {
    return closed || admission.isPressing();
  }

  /**
   * Queues a request.
   *
   * @return completes with the reply when the request has been carried out, or fails with the
   *     request's own failure. A write's buffer is free then; a read's is filled. Completing or
   *     cancelling it oneself has no effect on the request
   */
  public CompletableFuture<Reply> submit(Request request) {
    return submit(request, false);
  }

  /**
   * As {@link #submit(Request)}, for a thread that would only wait: what need not wait for anything
   * is carried out before this returns, without a thread of the executor. What came meanwhile is
   * left to that.
   */
  public CompletableFuture<Reply> submitAndRun(WriteRequest request) {
    return submit(request, true);
  }

  private CompletableFuture<Reply> submit(Request request, boolean here) {
    unanswered.incrementAndGet();
    if (closed) {
      answered();
      return CompletableFuture.failedFuture(
          new InvalidUseException("compactor: actual=closed, expected=open"));
    }
    tally.submitted.increment();
    return switch (request) {
      case RawRequest raw -> submitRaw(raw, here);
      case OrderedRequest ordered -> submitOrdered(ordered);
    };
  }

  private CompletableFuture<Reply> submitRaw(RawRequest request, boolean here) {
    long size = request.bytes();
    boolean accounted = admission.tryEnter(size);
    if (!accounted) {
      switch (options.whenFull()) {
        case BLOCK -> {
          admission.enter(size, this::release);
          accounted = true;
        }
        case REJECT -> {
          return reject(request);
        }
        case PASS_THROUGH -> {
          // waits below, when it has its place in the order
        }
      }
    }
    Entry entry = new Entry(request, accounted ? size : -1, null);
    Lane lane = enter(request.key(), entry, here);
    if (!accounted) {
      lane.force();
      entry.reply.exceptionally(failure -> null).join();
    }
    return entry.reply;
  }

  private CompletableFuture<Reply> reject(RawRequest request) {
    Entry entry = new Entry(request, -1, null);
    finish(
        entry,
        new Trace(request.origin(), Treatment.REJECTED, List.of()),
        null,
        new StorageException(
            "queue of the compactor: actual=full with "
                + admission.requests()
                + " requests of "
                + admission.bytes()
                + " bytes, expected=room for "
                + request.bytes()
                + " bytes; submit it again later"));
    return entry.reply;
  }

  private Lane enter(DataKey key, Entry entry, boolean here) {
    while (true) {
      Lane lane = lane(key);
      Lane.Shortcut shortcut = lane.enter(entry);
      switch (shortcut.entrance()) {
        case QUEUED -> {
          return lane;
        }
        case START -> {
          if (here) {
            lane.proceedOnce();
          } else {
            execute(lane::proceed);
          }
          return lane;
        }
        case STEALS -> {
          steal(lane, entry, shortcut.ahead());
          return lane;
        }
        case READS_AHEAD -> {
          readAhead(lane, entry, shortcut.ahead());
          return lane;
        }
        case PASSES -> {
          execute(() -> passBy(lane, entry));
          return lane;
        }
        case CLOSED -> lanes.remove(key, lane);
      }
    }
  }

  /** Copies what answers a read, here and now: the executor may be busy with what is ahead. */
  private void steal(Lane lane, Entry entry, Ahead ahead) {
    Trace trace =
        new Trace(
            entry.request.origin(),
            Treatment.STOLEN,
            ahead.writes().stream()
                .limit(Trace.MAX_PARTNERS)
                .map(each -> each.request.origin())
                .toList());
    finish(entry, trace, null, copy(lane, ahead));
  }

  /** Copies what writes ahead hold of a read, and has the rest read past them. */
  private void readAhead(Lane lane, Entry entry, Ahead ahead) {
    RuntimeException failure = copy(lane, ahead);
    if (failure != null) {
      passed(lane, entry, trace(entry, Treatment.PARTLY_STOLEN), null, failure);
    } else {
      lane.aheadReads().add(entry, ahead);
    }
  }

  /** Makes copies from writes that are held on to, and lets them go; returns what went wrong. */
  private RuntimeException copy(Lane lane, Ahead ahead) {
    RuntimeException failure = null;
    try {
      for (Plan.Theft theft : ahead.thefts()) {
        theft.copy();
        tally.stolenBytes.add(theft.to().lengthBytes());
      }
    } catch (RuntimeException inaccessible) {
      failure = inaccessible;
    }
    lane.unpin(ahead.writes());
    return failure;
  }

  private static Trace trace(Entry entry, Treatment treatment) {
    return new Trace(entry.request.origin(), treatment, List.of());
  }

  private void passBy(Lane lane, Entry entry) {
    CompletionStage<?> stage =
        switch (entry.request) {
          case WriteRequest write -> write(WriteMerging.single(write));
          case ReadRequest read -> read(ReadMerging.single(read));
          case OrderedRequest ordered -> act(ordered);
        };
    boolean ordered = entry.isOrdered();
    Trace trace = trace(entry, ordered ? Treatment.ORDERED : Treatment.PASSED_BY);
    stage.whenComplete((value, failure) ->
        passed(lane, entry, trace, ordered ? value : null, Connectors.causeOf(failure)));
  }

  /** A request that went past the queue has been carried out. */
  void passed(Lane lane, Entry entry, Trace trace, Object result, Throwable failure) {
    Runnable reply = () -> finish(entry, trace, result, failure);
    if (lane.end(entry, reply)) {
      inOrder(failure != null, reply, () -> lane.hasPassed(entry));
    } else {
      lane.hasPassed(entry);
    }
  }

  private Lane lane(DataKey key) {
    Lane lane = lanes.get(key);
    if (lane != null) {
      return lane;
    }
    List<Lane> starting = new ArrayList<>(1);
    synchronized (registry) {
      lane = lanes.get(key);
      if (lane == null) {
        lane = make(key, starting);
      }
    }
    starting.forEach(each -> execute(each::proceed));
    return lane;
  }

  /** Makes a lane, in which the barriers that concern it stand first; called with the registry. */
  private Lane make(DataKey key, List<Lane> starting) {
    Lane made = new Lane(this, options.gather());
    for (Map.Entry<Entry, Scope> barrier : pending.entrySet()) {
      Entry entry = barrier.getKey();
      if (concerns(barrier.getValue(), key)
          && entry.barrier.await()
          && made.enter(entry).entrance() == Lane.Entrance.START) {
        starting.add(made);
      }
    }
    lanes.put(key, made);
    return made;
  }

  private static boolean concerns(Scope scope, DataKey key) {
    return switch (scope) {
      case Scope.Part part -> part.key().equals(key);
      case Scope.Dataset dataset -> dataset.key().equals(key);
      case Scope.File file -> file.file() == key.file();
      case Scope.Everything() -> true;
    };
  }

  private CompletableFuture<Reply> submitOrdered(OrderedRequest request) {
    Barrier barrier = new Barrier();
    Entry entry = new Entry(request, -1, barrier);
    switch (request.scope()) {
      case Scope.Part part -> {
        barrier.await();
        barrier.opened(() -> execute(() -> actAtBarrier(entry)));
        enter(part.key(), entry, false);
      }
      case Scope.Dataset dataset -> {
        barrier.await();
        barrier.opened(() -> execute(() -> actAtBarrier(entry)));
        enter(dataset.key(), entry, false);
      }
      case Scope.File _, Scope.Everything _ -> enterAll(entry, request.scope());
    }
    return entry.reply;
  }

  private void enterAll(Entry entry, Scope scope) {
    List<Lane> starting = new ArrayList<>();
    synchronized (registry) {
      DataKey control = new DataKey(scope instanceof Scope.File f ? f.file() : CONTROL, CONTROL);
      if (!lanes.containsKey(control)) {
        make(control, starting);
      }
      pending.put(entry, scope);
      for (Map.Entry<DataKey, Lane> each : lanes.entrySet()) {
        Lane lane = each.getValue();
        if (concerns(scope, each.getKey())) {
          entry.barrier.await();
          switch (lane.enter(entry).entrance()) {
            case START -> starting.add(lane);
            case CLOSED -> entry.barrier.forget();
            case QUEUED, PASSES, STEALS, READS_AHEAD -> {
              // its motor runs already
            }
          }
        }
      }
    }
    starting.forEach(lane -> execute(lane::proceed));
    entry.barrier.opened(() -> execute(() -> actAtBarrier(entry)));
  }

  private void actAtBarrier(Entry entry) {
    OrderedRequest request = (OrderedRequest) entry.request;
    act(request)
        .whenComplete((value, failure) -> {
          synchronized (registry) {
            pending.remove(entry);
          }
          Trace trace = trace(entry, Treatment.ORDERED);
          inOrder(
              failure != null,
              () -> finish(entry, trace, value, Connectors.causeOf(failure)),
              entry.barrier::completed);
        });
  }

  /**
   * Gives a reply, and lets what waited behind the request go on: a failure is told first, so that
   * whoever asks behind it whether all went well has heard of it.
   */
  private static void inOrder(boolean failed, Runnable reply, Runnable goOn) {
    try {
      (failed ? reply : goOn).run();
    } finally {
      (failed ? goOn : reply).run();
    }
  }

  private static CompletionStage<?> act(OrderedRequest request) {
    return guarded(() -> request.action().get());
  }

  /** Something that yields a stage, or throws. */
  private interface Staged {
    CompletionStage<?> start();
  }

  /** A stage in any case, whatever is thrown: every request must have its reply. */
  private static CompletionStage<?> guarded(Staged call) {
    try {
      CompletionStage<?> stage = call.start();
      return stage == null ? CompletableFuture.completedFuture(null) : stage;
    } catch (Throwable failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  CompletionStage<?> write(MergedWrite write) {
    tally.issuedWrites.increment();
    tally.issuedBytes.add(write.bytes());
    return guarded(() -> layer.write(write));
  }

  CompletionStage<?> read(MergedRead read) {
    tally.issuedReads.increment();
    tally.issuedBytes.add(read.bytes());
    return guarded(() -> layer.read(read));
  }

  /**
   * Plans; if that fails, as for selections too involved to be united, then for one request by
   * itself, so that whoever asks for the impossible hears of it.
   */
  Plan plan(List<RawRequest> requests) {
    Plan plan;
    try {
      plan = planner.plan(requests);
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError tooInvolved) {
      plan = Planner.alone(requests.getFirst());
    }
    long written = 0;
    for (RawRequest request : requests.subList(0, plan.traces().size())) {
      written += request instanceof WriteRequest ? request.bytes() : 0;
    }
    tally.count(plan, written);
    return plan;
  }

  void execute(Runnable action) {
    run(() -> {
      runFirst();
      action.run();
    });
  }

  /** Has an action executed before all that waits for a thread of the executor. */
  void executeFirst(Runnable action) {
    first.add(action);
    run(this::runFirst);
  }

  private void runFirst() {
    Runnable next = first.poll();
    if (next != null) {
      next.run();
    }
  }

  private void run(Runnable action) {
    try {
      executor.execute(action);
    } catch (RejectedExecutionException noThreads) {
      // Late, but a reply on every path.
      action.run();
    }
  }

  void succeed(Lane lane, Entry entry, Trace trace) {
    reply(lane, entry, () -> finish(entry, trace, null, null));
  }

  void fail(Lane lane, Entry entry, Trace trace, Throwable failure) {
    reply(lane, entry, () -> finish(entry, trace, null, failure));
  }

  private static void reply(Lane lane, Entry entry, Runnable reply) {
    if (lane.end(entry, reply)) {
      reply.run();
    }
  }

  private void finish(Entry entry, Trace trace, Object result, Throwable failure) {
    if (entry.accounted >= 0) {
      admission.leave(entry.accounted);
    }
    tally.replied.increment();
    tally.count(trace.treatment());
    try {
      listener.accept(trace);
    } finally {
      if (failure == null) {
        entry.reply.complete(new Reply(trace, result));
      } else {
        entry.reply.completeExceptionally(failure);
      }
      answered();
    }
  }

  private void answered() {
    if (unanswered.decrementAndGet() == 0 && closed) {
      synchronized (idle) {
        idle.notifyAll();
      }
    }
  }

  /** How long requests on a dataset gather from now on, instead of what the options say. */
  public void gather(DataKey key, Gather gather) {
    lane(key).gather(gather);
  }

  /** Starts all that is gathering. */
  public void release() {
    lanes.values().forEach(Lane::force);
  }

  /** Forgets what is kept for the datasets of a file on which nothing is queued. */
  public void forget(long file) {
    synchronized (registry) {
      lanes.entrySet().removeIf(each -> each.getKey().file() == file && each.getValue().close());
    }
  }

  /**
   * Has somebody hear of every request that has ended, for logs and tests; called before its reply,
   * by any thread.
   */
  public void onTrace(Consumer<Trace> newListener) {
    this.listener = newListener;
  }

  /** How it does now; not one instant if requests are on their way. */
  public CompactorCounts counts() {
    return tally.counts(admission.requests(), admission.bytes());
  }

  /** Refuses new requests and waits until all have their replies. */
  @Override
  public void close() {
    closed = true;
    release();
    synchronized (idle) {
      Uninterrupted.await(idle, () -> unanswered.get() > 0);
    }
  }
}
