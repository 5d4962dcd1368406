package org.hyperslab.plugins.forwarding.compact;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.Iterator;
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

  /** Requests ahead that are looked at to see whether one may pass by. */
  private static final int MAX_LOOKED_AT = 256;

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
    /** It was answered. */
    ANSWERED,
    /** The lane is gone; another one must be found. */
    CLOSED
  }

  /** Takes a request in. */
  Entrance enter(Entry entry) {
    Entrance entrance = null;
    synchronized (this) {
      if (closed) {
        return Entrance.CLOSED;
      }
      if (active || !queue.isEmpty()) {
        entrance = shortcut(entry);
      }
      if (entrance == null) {
        queue.add(entry);
        bytesAhead += entry.bytes();
        orderedInQueue += entry.isOrdered() ? 1 : 0;
        return startIfDue();
      }
    }
    return entrance;
  }

  private Entrance startIfDue() {
    if (active) {
      return Entrance.QUEUED;
    }
    if (isDue()) {
      active = true;
      return Entrance.START;
    }
    if (queue.size() == 1 && gather.nanoseconds() > 0) {
      long mine = ++gathering;
      owner.trigger().after(gather.nanoseconds(), () -> timeIsUp(mine));
    }
    return Entrance.QUEUED;
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

  /** Answers or lets pass a small request; null if it has to wait. */
  private Entrance shortcut(Entry entry) {
    if (!owner.options().enabled() || orderedInQueue > 0 || atBarrier) {
      return null;
    }
    return switch (entry.request) {
      case ReadRequest read when read.bytes() <= Compactor.SMALL_BYTES -> {
        if (stealWhole(read)) {
          yield Entrance.ANSWERED;
        }
        yield owner.isLarge(bytesAhead) ? pass(entry, read.region(), false) : null;
      }
      case WriteRequest write when write.bytes() <= Compactor.SMALL_BYTES ->
          owner.isLarge(bytesAhead) ? pass(entry, write.region(), true) : null;
      case OrderedRequest ordered when ordered.scope() instanceof Scope.Part part ->
          pass(entry, part.region(), true);
      case ReadRequest _, WriteRequest _, OrderedRequest _ -> null;
    };
  }

  private Entrance pass(Entry entry, Region region, boolean writes) {
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
    return Entrance.PASSES;
  }

  /** Answers a read from the newest write under it, if that covers it and has not ended. */
  private boolean stealWhole(ReadRequest read) {
    if (queue.size() + underWay.size() + passing.size() > MAX_LOOKED_AT) {
      return false;
    }
    Entry newest = newestUnder(read.region(), queue.descendingIterator());
    newest = newest != null ? newest : newestUnder(read.region(), passing.reversed().iterator());
    newest = newest != null ? newest : newestUnder(read.region(), underWay.reversed().iterator());
    if (newest == null
        || newest.ended
        || !(newest.request instanceof WriteRequest write)
        || !write.kind().stored()
        || !write.kind().equals(read.kind())
        || !write.region().hasExtentOf(read.region())
        || !write.region().isInOrder()
        || !write.region().covers(read.region())) {
      return false;
    }
    try {
      copy(write, read);
      return true;
    } catch (RuntimeException inaccessible) {
      return false; // it will fail in its turn, and have its reply
    }
  }

  private static Entry newestUnder(Region region, Iterator<Entry> newestFirst) {
    while (newestFirst.hasNext()) {
      Entry entry = newestFirst.next();
      if (entry.conflictsWith(region, false)) {
        return entry;
      }
    }
    return null;
  }

  /** Copies a read's elements from a write that covers it. */
  private static void copy(WriteRequest write, ReadRequest read) {
    RunList source = new RunList();
    write.region().forEachRun(Integer.MAX_VALUE, source);
    int bytes = read.kind().bytes();
    MemorySegment from = write.buffer();
    read.region()
        .forEachRun(
            Integer.MAX_VALUE,
            (offset, length, ordinal) -> {
              long done = 0;
              while (done < length) {
                int in = source.find(offset + done);
                long inside = offset + done - source.offset(in);
                long part = Math.min(length - done, source.length(in) - inside);
                MemorySegment.copy(
                    from,
                    (source.ordinal(in) + inside) * bytes,
                    read.buffer(),
                    (ordinal + done) * bytes,
                    part * bytes);
                done += part;
              }
            });
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
   * @return false if it had been said before, and nothing more is to be said
   */
  synchronized boolean end(Entry entry) {
    if (entry.ended) {
      return false;
    }
    entry.ended = true;
    bytesAhead -= entry.bytes();
    return true;
  }
}
