package org.hyperslab.plugins.compacting;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The requests on one dataset: a queue, and at most one batch or ordered operation of it under way.
 *
 * <p>Beside the queue there is a way past it for small requests that nothing ahead of them
 * concerns: {@link Compactor#SMALL_BYTES} or less do not wait for {@link Compactor#LARGE_BYTES} or
 * more. What passes by is waited for before the next batch.
 *
 * <p>Thread rule: any thread. {@link #proceed} is the motor: however many threads call it, one at a
 * time turns it, and none waits for another.
 */
final class Lane {

  /** Requests of a batch at most. */
  private static final int MAX_BATCH = 8192;

  /** Requests ahead that are looked at for a shortcut of a small request. */
  private static final int MAX_LOOKED_AT = 256;

  private final Compactor owner;
  private final AheadReads aheadReads;

  // Guarded by this.
  private final ArrayDeque<Entry> queue = new ArrayDeque<>();
  private final List<Entry> passing = new ArrayList<>();
  private List<Entry> underWay = List.of();
  private long bytesAhead;
  private int orderedInQueue;
  private Gather gather;
  private boolean active;
  private boolean forced;
  private boolean atBarrier;
  private boolean closed;
  private long gathering;

  // Belongs to whoever turns the motor.
  private final AtomicInteger turns = new AtomicInteger();
  private BatchRun run;

  Lane(Compactor owner, Gather gather) {
    this.owner = owner;
    this.aheadReads = new AheadReads(owner, this);
    this.gather = gather;
  }

  // --- coming in ---

  /** What became of a request that came in. */
  enum Entrance {
    /** It waits. */
    QUEUED,
    /** It waits, and {@link #proceed} must be called soon. */
    START,
    /** It need not wait: it is to be carried out at once. */
    PASSES,
    /** It need not wait: copies from writes ahead answer it. */
    STEALS,
    /** It need not wait: copies from writes ahead answer a part, and the rest can be read. */
    READS_AHEAD,
    /** The lane is gone; another one must be found. */
    CLOSED
  }

  /**
   * How a request came in.
   *
   * @param entrance what became of it
   * @param ahead if it is a read that need not wait: what answers it. The writes in it are held on
   *     to until {@link #unpin}
   */
  record Shortcut(Entrance entrance, Ahead ahead) {}

  private static final Shortcut CLOSED = new Shortcut(Entrance.CLOSED, null);
  private static final Shortcut QUEUED = new Shortcut(Entrance.QUEUED, null);
  private static final Shortcut START = new Shortcut(Entrance.START, null);
  private static final Shortcut PASSES = new Shortcut(Entrance.PASSES, null);

  /** Takes a request in. */
  synchronized Shortcut enter(Entry entry) {
    if (closed) {
      return CLOSED;
    }
    Shortcut shortcut = active || !queue.isEmpty() ? shortcut(entry) : null;
    if (shortcut != null) {
      return shortcut;
    }
    queue.add(entry);
    bytesAhead += entry.bytes();
    orderedInQueue += entry.isOrdered() ? 1 : 0;
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
    if (queue.size() == 1 && gather.nanoseconds() > 0) {
      long mine = ++gathering;
      owner.trigger().after(gather.nanoseconds(), () -> timeIsUp(mine));
    }
    return false;
  }

  private boolean isDue() {
    return forced || orderedInQueue > 0 || queue.size() >= gather.requests() || owner.isPressed();
  }

  private void timeIsUp(long ofGathering) {
    synchronized (this) {
      if (ofGathering != gathering) {
        return;
      }
    }
    force();
  }

  /** Starts what is gathering. */
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
    owner.execute(this::proceed);
  }

  synchronized void gather(Gather other) {
    gather = other;
  }

  /** Whether the lane was idle; nothing can come in any more then. */
  synchronized boolean close() {
    closed = closed || (!active && queue.isEmpty() && passing.isEmpty());
    return closed;
  }

  // --- past the queue ---

  /**
   * Answers a request or lets it pass; null if it has to wait. While a read that steals copies from
   * writes, their replies wait.
   */
  private Shortcut shortcut(Entry entry) {
    if (!owner.options().enabled() || orderedInQueue > 0 || atBarrier) {
      return null;
    }
    return switch (entry.request) {
      case ReadRequest read -> readAhead(entry, read);
      case WriteRequest write -> isSmall(write) ? pass(entry, write.region(), true) : null;
      case OrderedRequest ordered ->
          ordered.scope() instanceof Scope.Part part ? pass(entry, part.region(), true) : null;
    };
  }

  /** Whether it need not wait for what is ahead. */
  private boolean isSmall(RawRequest request) {
    return request.bytes() <= Compactor.SMALL_BYTES && maybePasses();
  }

  /**
   * Whether there is so much ahead that a request may be spared it. While nothing is under way, the
   * next batch only waits for those that have passed.
   */
  private boolean maybePasses() {
    return !underWay.isEmpty() && owner.isLarge(bytesAhead);
  }

  private Shortcut pass(Entry entry, Region region, boolean writes) {
    if (queue.size() + underWay.size() + passing.size() > MAX_LOOKED_AT) {
      return null;
    }
    for (List<Entry> ahead : List.of(List.copyOf(queue), passing, underWay)) {
      for (Entry other : ahead) {
        if (!other.ended && other.conflictsWith(region, writes)) {
          return null;
        }
      }
    }
    passing.add(entry);
    bytesAhead += entry.bytes();
    return PASSES;
  }

  /**
   * Finds what of a read the writes ahead hold. Where that is all, it is answered; where there is
   * much to wait for, it may still go on, if nothing ahead is to write the rest.
   */
  private Shortcut readAhead(Entry entry, ReadRequest read) {
    long lookedAt = Math.max(MAX_LOOKED_AT, read.bytes() / MAX_LOOKED_AT);
    if (read.region().elements() == 0
        || queue.size() + underWay.size() + passing.size() > lookedAt) {
      return null;
    }
    // A queued write that overlaps one that passed by is the newer of the two.
    Ahead ahead = Ahead.of(read, List.of(underWay, passing, queue));
    if (ahead == null) {
      return null;
    }
    boolean whole = ahead.left().size() == 0;
    if (!whole && !maybePasses()) {
      return null;
    }
    ahead.writes().forEach(write -> write.pins++);
    if (whole) {
      return new Shortcut(Entrance.STEALS, ahead);
    }
    passing.add(entry);
    bytesAhead += entry.bytes();
    return new Shortcut(Entrance.READS_AHEAD, ahead);
  }

  /** The reads that go past the queue. */
  AheadReads aheadReads() {
    return aheadReads;
  }

  /** The copies from these writes have been made. */
  void unpin(List<Entry> writes) {
    List<Runnable> replies = new ArrayList<>(0);
    synchronized (this) {
      for (Entry entry : writes) {
        entry.pins--;
        if (entry.pins == 0 && entry.whenUnpinned != null) {
          replies.add(entry.whenUnpinned);
          entry.whenUnpinned = null;
        }
      }
    }
    replies.forEach(Runnable::run);
  }

  /** A request that passed by has its reply. */
  void hasPassed(Entry entry) {
    synchronized (this) {
      passing.removeIf(other -> other == entry);
      if (!passing.isEmpty()) {
        return;
      }
    }
    proceed();
  }

  // --- the motor ---

  /** Does what can be done now. */
  void proceed() {
    if (turns.getAndIncrement() == 0) { // otherwise whoever turns the motor does it
      turn(Integer.MAX_VALUE);
    }
  }

  /** As {@link #proceed}, but this thread begins one batch at most; others go on with the rest. */
  void proceedOnce() {
    if (turns.getAndIncrement() == 0) {
      turn(1);
    }
  }

  /** Turns the motor; after so many batches another thread goes on turning it. */
  private void turn(int most) {
    int left = most;
    int seen = 1;
    do {
      left = advance(left);
      if (left < 0) {
        owner.execute(() -> turn(Integer.MAX_VALUE));
        return;
      }
      seen = turns.addAndGet(-seen);
    } while (seen != 0);
  }

  /** The barrier at which the lane waited has been passed. */
  void passed() {
    synchronized (this) {
      atBarrier = false;
    }
    proceed();
  }

  /** Begins so many batches at most; returns how many are left, -1 if one more could begin. */
  private int advance(int most) {
    for (int left = most; true; left--) {
      if (run != null) {
        if (!run.advance()) {
          return left;
        }
        run = null;
      }
      Barrier barrier;
      List<Entry> batch;
      synchronized (this) {
        underWay = List.of();
        if (!active || atBarrier || !passing.isEmpty()) {
          return left;
        }
        if (queue.isEmpty() || !isDue()) {
          active = false;
          forced = false;
          if (!queue.isEmpty()) {
            gatherAgain();
          }
          return left;
        }
        if (left == 0) {
          return -1;
        }
        barrier = takeBarrier();
        batch = barrier == null ? takeBatch() : List.of();
      }
      if (barrier != null) {
        barrier.arrive(this);
      } else {
        run = start(batch);
      }
    }
  }

  private void gatherAgain() {
    long mine = ++gathering;
    if (gather.nanoseconds() > 0) {
      owner.trigger().after(gather.nanoseconds(), () -> timeIsUp(mine));
    }
  }

  private Barrier takeBarrier() {
    Entry first = queue.peekFirst();
    if (!first.isOrdered()) {
      return null;
    }
    queue.removeFirst();
    orderedInQueue--;
    atBarrier = true;
    return first.barrier;
  }

  /** The raw requests at the head of the queue; they stay visible as being under way. */
  private List<Entry> takeBatch() {
    List<Entry> batch = new ArrayList<>(Math.min(queue.size(), MAX_BATCH));
    while (batch.size() < MAX_BATCH && !queue.isEmpty() && !queue.peekFirst().isOrdered()) {
      batch.add(queue.removeFirst());
    }
    underWay = batch;
    forced = forced && !queue.isEmpty();
    return batch;
  }

  /** Plans, and gives back to the queue what does not fit into the plan. */
  private BatchRun start(List<Entry> batch) {
    IdentityHashMap<RawRequest, Entry> entries = new IdentityHashMap<>(batch.size());
    List<RawRequest> requests = new ArrayList<>(batch.size());
    for (Entry entry : batch) {
      RawRequest request = (RawRequest) entry.request;
      if (entries.putIfAbsent(request, entry) != null) {
        break; // the same value again: a batch of its own, or the replies could not be told apart
      }
      requests.add(request);
    }
    Plan plan = owner.plan(requests);
    int planned = plan.traces().size();
    for (int i = 0; i < planned; i++) {
      batch.get(i).trace = plan.traces().get(i);
    }
    synchronized (this) {
      for (int i = batch.size() - 1; i >= planned; i--) {
        queue.addFirst(batch.get(i));
      }
      if (planned < batch.size()) {
        forced = true;
        underWay = List.copyOf(batch.subList(0, planned));
      }
    }
    return new BatchRun(owner, this, plan, entries);
  }

  /**
   * A request is about to have its reply: its buffer must not be touched any more.
   *
   * @param reply gives it
   * @return whether to give it now; otherwise it is given when nobody copies from the buffer any
   *     more, or was given before
   */
  synchronized boolean end(Entry entry, Runnable reply) {
    if (entry.ended) {
      return false;
    }
    entry.ended = true;
    bytesAhead -= entry.bytes();
    if (entry.pins > 0) {
      entry.whenUnpinned = reply;
      return false;
    }
    return true;
  }
}
