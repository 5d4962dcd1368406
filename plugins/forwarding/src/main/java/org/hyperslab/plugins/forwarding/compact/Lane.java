package org.hyperslab.plugins.forwarding.compact;

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

  /** Requests ahead, and runs of one, that are looked at for a shortcut of a small request. */
  private static final int MAX_LOOKED_AT = 256;

  /** In a map of writes: one from which nothing can be taken. */
  private static final int NOTHING = -1;

  private final Compactor owner;

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
    /** The lane is gone; another one must be found. */
    CLOSED
  }

  /**
   * How a request came in.
   *
   * @param entrance what became of it
   * @param thefts the copies that answer it, if it steals
   * @param pinned the writes that are held on to meanwhile
   */
  record Shortcut(Entrance entrance, List<Plan.Theft> thefts, List<Entry> pinned) {}

  private static final Shortcut CLOSED = new Shortcut(Entrance.CLOSED, List.of(), List.of());
  private static final Shortcut QUEUED = new Shortcut(Entrance.QUEUED, List.of(), List.of());
  private static final Shortcut START = new Shortcut(Entrance.START, List.of(), List.of());

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
      case ReadRequest read -> {
        Shortcut steals = stealWhole(read);
        yield steals == null && isSmall(read) ? pass(entry, read.region(), false) : steals;
      }
      case WriteRequest write -> isSmall(write) ? pass(entry, write.region(), true) : null;
      case OrderedRequest ordered ->
          ordered.scope() instanceof Scope.Part part ? pass(entry, part.region(), true) : null;
    };
  }

  /** Whether it need not wait for what is ahead. */
  private boolean isSmall(RawRequest request) {
    return request.bytes() <= Compactor.SMALL_BYTES && owner.isLarge(bytesAhead);
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
    return new Shortcut(Entrance.PASSES, List.of(), List.of());
  }

  /**
   * Finds the writes ahead from which a read can be answered wholly, and holds on to them.
   *
   * @return null if a part of it must be read
   */
  private Shortcut stealWhole(ReadRequest read) {
    long lookedAt = Math.max(MAX_LOOKED_AT, read.bytes() / MAX_LOOKED_AT);
    if (queue.size() + underWay.size() + passing.size() > lookedAt) {
      return null;
    }
    // A queued write that overlaps one that passed by is the newer of the two.
    List<Entry> writes = new ArrayList<>();
    SegmentMap latest = new SegmentMap();
    for (Iterable<Entry> ahead : List.<Iterable<Entry>>of(underWay, passing, queue)) {
      for (Entry entry : ahead) {
        if (entry.conflictsWith(read.region(), false) && !lay(entry, read, latest, writes)) {
          return null;
        }
      }
    }
    List<Plan.Theft> thefts = writes.isEmpty() ? List.of() : thefts(read, latest, writes);
    if (thefts.isEmpty()) {
      return null;
    }
    writes.forEach(entry -> entry.pins++);
    return new Shortcut(Entrance.STEALS, thefts, writes);
  }

  /** Lays a write over those before it; false if there is no telling what it leaves. */
  private static boolean lay(Entry entry, ReadRequest read, SegmentMap latest, List<Entry> writes) {
    if (!(entry.request instanceof WriteRequest write)
        || !write.region().hasExtentOf(read.region())) {
      return false;
    }
    boolean gives = !entry.ended && write.kind().stored() && write.kind().equals(read.kind());
    int source = gives ? writes.size() : NOTHING;
    if (gives) {
      writes.add(entry);
    }
    return write
        .region()
        .forEachRun(
            MAX_LOOKED_AT,
            (offset, length, ordinal) -> latest.put(offset, offset + length, source, ordinal));
  }

  /** The copies that make up a read; none if something is missing. */
  private static List<Plan.Theft> thefts(ReadRequest read, SegmentMap latest, List<Entry> writes) {
    List<Plan.Theft> thefts = new ArrayList<>();
    long[] found = {0};
    int bytes = read.kind().bytes();
    boolean all =
        read.region()
            .forEachRun(
                MAX_LOOKED_AT,
                (offset, length, ordinal) ->
                    latest.forEachIn(
                        offset,
                        offset + length,
                        (start, end, source, from) -> {
                          if (source != NOTHING) {
                            WriteRequest write = (WriteRequest) writes.get(source).request;
                            long to = ordinal + start - offset;
                            found[0] += end - start;
                            thefts.add(
                                new Plan.Theft(
                                    new Piece(write, from * bytes, (end - start) * bytes),
                                    new Piece(read, to * bytes, (end - start) * bytes)));
                          }
                        }));
    return all && found[0] == read.region().elements() ? thefts : List.of();
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
    if (turns.getAndIncrement() != 0) {
      return; // whoever turns the motor does it
    }
    int seen = 1;
    do {
      advance();
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

  private void advance() {
    while (true) {
      if (run != null) {
        if (!run.advance()) {
          return;
        }
        run = null;
      }
      Barrier barrier;
      List<Entry> batch;
      synchronized (this) {
        underWay = List.of();
        if (!active || atBarrier || !passing.isEmpty()) {
          return;
        }
        if (queue.isEmpty() || !isDue()) {
          active = false;
          forced = false;
          if (!queue.isEmpty()) {
            gatherAgain();
          }
          return;
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
