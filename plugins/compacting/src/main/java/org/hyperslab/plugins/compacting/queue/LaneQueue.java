package org.hyperslab.plugins.compacting.queue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.plugins.compacting.options.GatherPolicy;
import org.hyperslab.plugins.compacting.plan.PendingOverlap;
import org.hyperslab.plugins.compacting.plan.ReadRequest;
import org.hyperslab.plugins.compacting.plan.Region;
import org.hyperslab.plugins.compacting.plan.WriteRequest;

/**
 * The unanswered requests on one dataset: those that wait, the batch under way, and those that
 * bypass the queue because they conflict with no earlier request. Decides the next step, but does
 * not carry it out.
 *
 * <p>Requests of at most {@value #SMALL_BYTES} bytes may bypass the queue when at least {@link
 * LaneContext#largeBytes} bytes are queued before them, and reads may whenever no earlier write is
 * still to change their elements. The next batch waits for the bypassing requests.
 *
 * <p>Thread rule: any thread.
 */
final class LaneQueue {

  /** The largest request, in bytes, that may bypass a large batch that it does not overlap. */
  private static final long SMALL_BYTES = 64 << 10;

  /** The largest number of requests in a batch. */
  private static final int MAX_BATCH = 8192;

  /** The largest number of earlier requests that are examined for a small request. */
  private static final int MAX_EXAMINED = 256;

  private final LaneContext context;
  private final Runnable starter;

  // Guarded by this.
  private final ArrayDeque<PendingRequest> queue = new ArrayDeque<>();
  private final List<PendingRequest> passing = new ArrayList<>();
  private List<PendingTransfer> underWay = List.of();
  private long bytesAhead;
  private int operationsInQueue;
  private GatherPolicy gather;
  private boolean active;
  private boolean forced;
  private boolean atBarrier;
  private boolean closed;
  private long gathering;

  /**
   * Creates an empty queue.
   *
   * @param context the shared parts of all lanes
   * @param starter called when the lane must be started because its requests have waited long
   *     enough
   */
  LaneQueue(LaneContext context, Runnable starter) {
    this.context = context;
    this.starter = starter;
    this.gather = context.options().gather();
  }

  // --- entering ---

  /** The way in which a request was admitted. */
  enum Entrance {
    /** The request waits. */
    QUEUED,
    /** The request waits, and the lane must be started. */
    START,
    /** The request need not wait: carry it out at once. */
    PASSES,
    /** The request need not wait: copies from earlier writes answer it. */
    STEALS,
    /**
     * The request need not wait: copies from earlier writes answer a part, and the rest can be
     * read.
     */
    READS_AHEAD,
    /** The lane is closed; use another one. */
    CLOSED
  }

  /**
   * The result of adding a request.
   *
   * @param entrance the way in which the request was admitted
   * @param overlap for a read that need not wait, its overlap with earlier writes; otherwise null.
   *     The writes in it are pinned until {@link #unpin}
   */
  record Admitted(Entrance entrance, PendingOverlap<PendingTransfer> overlap) {}

  private static final Admitted CLOSED = new Admitted(Entrance.CLOSED, null);
  private static final Admitted QUEUED = new Admitted(Entrance.QUEUED, null);
  private static final Admitted START = new Admitted(Entrance.START, null);
  private static final Admitted PASSES = new Admitted(Entrance.PASSES, null);

  /** Adds a request, or lets it bypass the queue. */
  synchronized Admitted enter(PendingRequest request) {
    if (closed) {
      return CLOSED;
    }
    Admitted shortcut = active || !queue.isEmpty() ? shortcut(request) : null;
    if (shortcut != null) {
      return shortcut;
    }
    queue.add(request);
    bytesAhead += request.bytes();
    operationsInQueue += request instanceof PendingOperation ? 1 : 0;
    return startIfDue() ? START : QUEUED;
  }

  private boolean startIfDue() {
    if (active) {
      return false;
    }
    if (isDue()) {
      active = true;
      return true;
    }
    if (queue.size() == 1) {
      startGathering();
    }
    return false;
  }

  private boolean isDue() {
    return forced
        || operationsInQueue > 0
        || queue.size() >= gather.requests()
        || context.admission().isPressing();
  }

  private void startGathering() {
    long mine = ++gathering;
    if (gather.nanoseconds() > 0) {
      context.scheduler().schedule(gather.nanoseconds(), () -> timeIsUp(mine));
    }
  }

  private void timeIsUp(long ofGathering) {
    synchronized (this) {
      if (ofGathering != gathering) {
        return;
      }
    }
    force();
  }

  /** Ends the collecting of requests, and has the lane started if necessary. */
  void force() {
    synchronized (this) {
      if (queue.isEmpty()) {
        return;
      }
      forced = true;
      if (active) {
        return;
      }
      active = true;
    }
    starter.run();
  }

  /** Changes how long later requests are collected. */
  synchronized void gather(GatherPolicy other) {
    gather = other;
  }

  /** Closes the lane if it is idle; returns whether it is closed. */
  synchronized boolean close() {
    closed = closed || (!active && queue.isEmpty() && passing.isEmpty());
    return closed;
  }

  // --- bypassing the queue ---

  /** Answers a request or lets it bypass the queue; returns null if it has to wait. */
  private Admitted shortcut(PendingRequest pending) {
    if (!context.options().enabled() || operationsInQueue > 0 || atBarrier) {
      return null;
    }
    return switch (pending) {
      case PendingTransfer transfer ->
          switch (transfer.request) {
            case ReadRequest read -> readAhead(transfer, read);
            case WriteRequest write ->
                write.bytes() <= SMALL_BYTES && mayPass() ? pass(transfer, write.region()) : null;
          };
      case PendingOperation operation ->
          operation.request.scope() instanceof OrderScope.Part part
              ? pass(operation, part.region())
              : null;
    };
  }

  /**
   * Returns whether enough bytes are queued for a request to bypass the queue. While no batch is
   * under way, the next one waits only for the bypassing requests, so no more may join them.
   */
  private boolean mayPass() {
    return !underWay.isEmpty() && bytesAhead >= context.largeBytes();
  }

  private int requestsAhead() {
    return queue.size() + underWay.size() + passing.size();
  }

  /**
   * Lets a request that changes elements bypass the queue if it conflicts with no earlier request.
   */
  private Admitted pass(PendingRequest request, Region region) {
    if (requestsAhead() > MAX_EXAMINED) {
      return null;
    }
    for (Iterable<? extends PendingRequest> ahead : List.of(queue, passing, underWay)) {
      for (PendingRequest other : ahead) {
        if (!other.ended && other.conflictsWith(region, true)) {
          return null;
        }
      }
    }
    passing.add(request);
    bytesAhead += request.bytes();
    return PASSES;
  }

  /**
   * Answers a read from earlier writes, in part if much would have to be waited for; returns null
   * if it has to wait.
   */
  private Admitted readAhead(PendingTransfer transfer, ReadRequest read) {
    long examined = Math.max(MAX_EXAMINED, read.bytes() / MAX_EXAMINED);
    if (read.region().elements() == 0 || requestsAhead() > examined) {
      return null;
    }
    PendingOverlap<PendingTransfer> overlap = overlap(read).orElse(null);
    if (overlap == null || (!overlap.isWhole() && !mayPass())) {
      return null;
    }
    overlap.writes().forEach(write -> write.pins++);
    if (overlap.isWhole()) {
      return new Admitted(Entrance.STEALS, overlap);
    }
    passing.add(transfer);
    bytesAhead += transfer.bytes();
    return new Admitted(Entrance.READS_AHEAD, overlap);
  }

  private Optional<PendingOverlap<PendingTransfer>> overlap(ReadRequest read) {
    var overlap = new PendingOverlap.Builder<PendingTransfer>(read);
    // A queued write is newer than one that it overlaps and that bypassed the queue.
    for (Iterable<? extends PendingRequest> ahead : List.of(underWay, passing, queue)) {
      for (PendingRequest other : ahead) {
        if (other.conflictsWith(read.region(), false)
            && !(other instanceof PendingTransfer transfer
                && transfer.request instanceof WriteRequest write
                && overlap.add(transfer, write, transfer.ended))) {
          return Optional.empty();
        }
      }
    }
    return overlap.build();
  }

  /**
   * Unpins writes after copies have been made from them.
   *
   * @param writes the writes
   * @return actions that give the replies that are now due
   */
  synchronized List<Runnable> unpin(List<PendingTransfer> writes) {
    List<Runnable> replies = new ArrayList<>(0);
    for (PendingTransfer write : writes) {
      write.pins--;
      if (write.pins == 0 && write.whenUnpinned != null) {
        replies.add(write.whenUnpinned);
        write.whenUnpinned = null;
      }
    }
    return replies;
  }

  /** Removes a bypassing request that has been answered; returns whether it was the last. */
  synchronized boolean hasPassed(PendingRequest request) {
    passing.removeIf(other -> other == request);
    return passing.isEmpty();
  }

  // --- leaving ---

  /** The next step of the lane. */
  sealed interface Next {
    /** No step is possible at present. */
    record Nothing() implements Next {}

    /**
     * A batch could be carried out, but this thread has already carried out the permitted number.
     */
    record TooMany() implements Next {}

    /**
     * Arrive at a barrier.
     *
     * @param barrier the barrier
     */
    record AtBarrier(Barrier barrier) implements Next {}

    /**
     * Carry out a batch.
     *
     * @param requests its requests, in the order of arrival
     */
    record Batch(List<PendingTransfer> requests) implements Next {}
  }

  private static final Next NOTHING = new Next.Nothing();
  private static final Next TOO_MANY = new Next.TooMany();

  /**
   * Returns the next step. Called when the previous batch has ended.
   *
   * @param mayBegin whether the caller may begin a batch
   * @return the step
   */
  synchronized Next next(boolean mayBegin) {
    underWay = List.of();
    if (!active || atBarrier || !passing.isEmpty()) {
      return NOTHING;
    }
    if (queue.isEmpty() || !isDue()) {
      active = false;
      forced = false;
      if (!queue.isEmpty()) {
        startGathering();
      }
      return NOTHING;
    }
    if (!mayBegin) {
      return TOO_MANY;
    }
    if (queue.peekFirst() instanceof PendingOperation operation) {
      queue.removeFirst();
      operationsInQueue--;
      atBarrier = true;
      return new Next.AtBarrier(operation.barrier);
    }
    return new Next.Batch(takeBatch());
  }

  /** Takes the raw requests at the head of the queue; they remain recorded as being under way. */
  private List<PendingTransfer> takeBatch() {
    List<PendingTransfer> batch = new ArrayList<>(Math.min(queue.size(), MAX_BATCH));
    while (batch.size() < MAX_BATCH && queue.peekFirst() instanceof PendingTransfer transfer) {
      batch.add(transfer);
      queue.removeFirst();
    }
    underWay = batch;
    forced = forced && !queue.isEmpty();
    return batch;
  }

  /** Returns the requests of a batch that could not be planned to the head of the queue. */
  synchronized void putBack(List<PendingTransfer> batch, int planned) {
    for (int i = batch.size() - 1; i >= planned; i--) {
      queue.addFirst(batch.get(i));
    }
    if (planned < batch.size()) {
      forced = true;
      underWay = List.copyOf(batch.subList(0, planned));
    }
  }

  /** Records that the lane has passed the barrier at which it waited. */
  synchronized void passedBarrier() {
    atBarrier = false;
  }

  /**
   * Records that a request is about to be answered, so that its buffer must not be used any more.
   *
   * @param request the request
   * @param reply gives the reply
   * @return whether to give the reply now. Otherwise it is given when no read copies from the
   *     buffer any more, or has already been given
   */
  synchronized boolean end(PendingRequest request, Runnable reply) {
    if (request.ended) {
      return false;
    }
    request.ended = true;
    bytesAhead -= request.bytes();
    if (request instanceof PendingTransfer transfer && transfer.pins > 0) {
      transfer.whenUnpinned = reply;
      return false;
    }
    return true;
  }
}
