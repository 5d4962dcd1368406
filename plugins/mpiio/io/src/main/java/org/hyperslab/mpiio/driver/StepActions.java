package org.hyperslab.mpiio.driver;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.MpiException;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.access.Strides;
import org.hyperslab.mpiio.comm.PutWindow;
import org.hyperslab.mpiio.comm.Request;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.schedule.StepCounts;
import org.hyperslab.mpiio.store.FileRangeLock;

/**
 * Executes the steps of a schedule for any driver: completes local steps, and starts the others.
 *
 * <p>When a step on the file or memory fails, the remaining file steps of the rank are skipped, but
 * its messages are still sent, so that no other rank waits forever. The schedule finds the failure
 * in its {@link Schedule.Findings} and must report it to the other ranks. A failure of
 * communication itself is thrown.
 *
 * <p>Thread rule: one thread at a time, with one exception: {@link #poke} may run beside a step for
 * which {@link #isLocal} holds.
 */
final class StepActions implements Schedule.Findings, AutoCloseable {

  private final StepContext context;
  private final NumberExchanges exchanges;
  private final FileSteps file;
  private final Map<Integer, Lease> buffers = new HashMap<>();
  private final Map<Integer, List<Request>> started = new HashMap<>();
  private final Map<Integer, long[][]> received = new HashMap<>();
  private long messages;
  private long messageBytes;
  private long copiedBytes;
  private long rounds;
  private RuntimeException failure;

  /** The gate of another rank's memory that the current step accesses; null for none. */
  private MemoryGate entered;

  StepActions(StepContext context, NumberExchanges exchanges) {
    this.context = context;
    this.exchanges = exchanges;
    this.file = new FileSteps(context.store(), context.pool());
  }

  @Override
  public RuntimeException failure() {
    return failure;
  }

  @Override
  public long[][] received(int slot) {
    return received.get(slot);
  }

  @Override
  public StepCounts tally() {
    return new StepCounts(
        file.reads(),
        file.bytesRead(),
        file.writes(),
        file.bytesWritten(),
        messages,
        messageBytes,
        copiedBytes,
        rounds);
  }

  /** Counts a new round. */
  void beginRound() {
    rounds++;
  }

  /** Returns whether a step accesses only memory and the file, and no communicator. */
  static boolean isLocal(Step step) {
    return switch (step) {
      case Step.Send _,
          Step.Receive _,
          Step.Await _,
          Step.Put _,
          Step.Fence _,
          Step.Expose _,
          Step.AwaitFences _,
          Step.AwaitExposure _,
          Step.Barrier _,
          Step.GatherAll _,
          Step.ExchangeAll _,
          Step.ReduceAll _ ->
          false;
      case Step.Allocate _,
          Step.Release _,
          Step.Copy _,
          Step.Scatter _,
          Step.Gather _,
          Step.Read _,
          Step.SkippingRead _,
          Step.Write _,
          Step.ListTransfer _,
          Step.Lock _,
          Step.Unlock _ ->
          true;
    };
  }

  /** Returns whether a step is too short to be worth another thread. */
  static boolean isShort(Step step) {
    return step instanceof Step.Allocate
        || step instanceof Step.Release
        || step instanceof Step.Copy
        || step instanceof Step.Unlock;
  }

  /**
   * Executes a step, or starts it.
   *
   * @param mayWait whether a step that needs a lock or a buffer may wait for it here
   * @return a request that must end before the next step; null if there is none
   */
  Request start(Step step, boolean mayWait) {
    switch (step) {
      case Step.Allocate allocate -> {
        return allocate(allocate, mayWait);
      }
      case Step.Lock lock -> {
        return lock(lock, mayWait);
      }
      case Step.Await await -> {
        return await(await.slot());
      }
      case Step.Barrier barrier -> {
        return exchanges.barrier();
      }
      case Step.AwaitFences await -> {
        return unlessEnded(EpochWait.ofFences(window(), await, context.comm().ticker()));
      }
      case Step.AwaitExposure await -> {
        return unlessEnded(EpochWait.ofExposure(window(), await, context.comm().ticker()));
      }
      case Step.Put put -> put(put);
      case Step.Fence fence -> window().fence(fence.target(), fence.epoch());
      case Step.Expose expose -> window().expose(expose.epoch());
      case Step.Release release -> release(release.buffer());
      case Step.Send send -> send(send);
      case Step.Receive receive -> receive(receive);
      case Step.GatherAll gather ->
          begin(gather.slot(), exchanges.gather(gather.mine(), gather.equal()));
      case Step.ExchangeAll exchange ->
          begin(exchange.slot(), exchanges.exchange(exchange.forRank()));
      case Step.ReduceAll reduce ->
          begin(reduce.slot(), exchanges.reduce(reduce.values(), reduce.reduction()));
      case Step.Copy copy -> local(() -> copy(copy));
      case Step.Scatter scatter -> local(() -> scatter(scatter));
      case Step.Gather gather -> local(() -> gather(gather));
      case Step.Read read -> local(() -> read(read));
      case Step.SkippingRead read -> local(() -> readSkipping(read));
      case Step.Write write -> local(() -> write(write));
      case Step.ListTransfer list -> local(() -> transferList(list));
      case Step.Unlock unlock -> context.locks().of(unlock.guard()).unlock();
    }
    return null;
  }

  /**
   * Starts the request of a step that the store executes without a thread of this process, while
   * the driver does other work.
   *
   * @return the request, which must end before the next step; null if the step is none that the
   *     store can start
   */
  Request submit(Step step) {
    if (failure != null) {
      return null;
    }
    return switch (step) {
      case Step.Write(ExtentRuns to, ByteLocation from) -> submit(true, to, from);
      case Step.Read(ExtentRuns from, ByteLocation to, boolean zeros) ->
          zeros && from.endExclusive() > context.store().size() ? null : submit(false, from, to);
      default -> null;
    };
  }

  private Request submit(boolean write, ExtentRuns extent, ByteLocation place) {
    boolean own = !(place instanceof ByteLocation.Peer) && !isMissing(place);
    long length = extent.totalBytes();
    if (extent.count() != 1 || !own || !memoryOf(place).contiguous(positionIn(place), length)) {
      return null;
    }
    MemorySegment memory = contiguous(place, length);
    ByteStore store = context.store();
    try {
      Optional<ByteStore.Pending> pending =
          write
              ? store.startWrite(extent.first(), memory)
              : store.startRead(extent.first(), memory);
      return pending.map(each -> file.started(write, length, each, this::note)).orElse(null);
    } catch (HyperslabException refused) {
      note(refused);
      return null;
    }
  }

  private void note(HyperslabException failed) {
    failure = failure == null ? failed : failure;
  }

  /** Advances messages for which no step waits currently. */
  void poke() {
    for (List<Request> requests : started.values()) {
      if (!requests.isEmpty()) {
        requests.getFirst().test();
        return;
      }
    }
  }

  /** Returns the ranks with which messages are in flight. */
  Set<Integer> awaitedRanks() {
    return PeerRequest.ranksOf(started.values().stream().flatMap(List::stream).toList());
  }

  /** Returns whether a message may still come to, or be sent from, the rank's own memory. */
  boolean exposes() {
    return started.values().stream()
        .flatMap(List::stream)
        .anyMatch(request -> request instanceof PeerRequest expected && expected.exposes());
  }

  /**
   * Releases the locks, gives up messages that are in flight because the schedule ends early, and
   * releases the buffers when no message accesses them any more.
   *
   * @param waiting what the schedule waits for, if that has no slot; may be null
   * @param untouched runs when no message accesses memory any more
   */
  void abandon(Request waiting, Runnable untouched) {
    List<Lease> leases = List.copyOf(buffers.values());
    buffers.clear();
    List<Request> messages = new ArrayList<>();
    started.values().forEach(messages::addAll);
    started.clear();
    if (waiting instanceof PendingExchange) {
      messages.add(waiting);
    }
    Request.giveUp(
        messages,
        () -> {
          leases.forEach(Lease::close);
          untouched.run();
        });
    context.locks().unlock();
  }

  @Override
  public void close() {
    abandon(null, () -> {});
  }

  /** Runs a local action, unless an earlier one failed. */
  private void local(Runnable action) {
    if (failure != null) {
      return;
    }
    try {
      action.run();
    } catch (HyperslabException | IllegalStateException | IndexOutOfBoundsException failed) {
      failure = failed;
    } catch (RuntimeException | Error unexpected) { // other ranks wait for this one's messages
      failure = SharedFailure.typed(unexpected, "transfer");
    } finally {
      if (entered != null) {
        entered.leave();
        entered = null;
      }
    }
  }

  /** Returns another rank's memory, which stays valid until the end of the step. */
  private MemoryExtents memoryOf(int peer) {
    MemoryGate gate = context.peers().gates()[peer];
    if (gate != null && gate != entered) {
      if (!gate.enter()) {
        throw new MpiException(
            "transfer",
            peer,
            MpiException.NO_CODE,
            "memory of rank " + peer + ": actual=given up by it, expected=within reach");
      }
      entered = gate;
    }
    return context.peers().memory()[peer];
  }

  /**
   * Allocates a buffer. If other transfers hold the memory, a driver that must not wait tries again
   * later.
   */
  private Request allocate(Step.Allocate allocate, boolean mayWait) {
    if (mayWait) {
      takes(allocate, false);
      return null;
    }
    Attempt attempt = new Attempt(() -> takes(allocate, true));
    return attempt.test() ? null : attempt;
  }

  /**
   * Takes a buffer. If there is no memory, this rank has failed, and continues without the buffer.
   *
   * @param later whether to try again later if other transfers may release buffers
   * @return whether the step is done
   */
  private boolean takes(Step.Allocate allocate, boolean later) {
    try {
      buffers.put(allocate.buffer(), context.pool().take(allocate.bytes()));
    } catch (OutOfMemoryError memory) {
      if (later && context.pool().lent() > buffers.size()) {
        return false;
      }
      failure = failure == null ? SharedFailure.typed(memory, "transfer") : failure;
    }
    return true;
  }

  private void release(int buffer) {
    Lease lease = buffers.remove(buffer);
    if (lease != null) {
      lease.close();
    }
  }

  /** Returns whether a place is in a buffer for which there was no memory. */
  private boolean isMissing(ByteLocation place) {
    return place instanceof ByteLocation.Buffer buffer && !buffers.containsKey(buffer.id());
  }

  private Request lock(Step.Lock lock, boolean mayWait) {
    FileRangeLock ranges = context.locks().of(lock.guard());
    if (mayWait) {
      local(() -> {
        if (!ranges.tryLock(lock.from(), lock.toExclusive())) {
          FileWorkers.waiting(() -> ranges.lock(lock.from(), lock.toExclusive()));
        }
      });
      return null;
    }
    Attempt attempt =
        new Attempt(() -> {
          boolean[] held = {true};
          local(() -> held[0] = ranges.tryLock(lock.from(), lock.toExclusive()));
          return held[0];
        });
    return attempt.test() ? null : attempt;
  }

  private PutWindow window() {
    return context.peers().window();
  }

  private static Request unlessEnded(EpochWait wait) {
    return wait.test() ? null : wait;
  }

  private void put(Step.Put put) {
    if (isMissing(put.from())) {
      return;
    }
    messages++;
    messageBytes += put.length();
    window().put(put.target(), put.at(), contiguous(put.from(), put.length()));
  }

  /** An action that is tried until it succeeds. */
  private static final class Attempt implements Request {

    /** The time between two attempts; another rank has the lock meanwhile. */
    private static final long PAUSE_NANOS = 50_000;

    private final BooleanSupplier trial;
    private boolean succeeded;

    Attempt(BooleanSupplier trial) {
      this.trial = trial;
    }

    @Override
    public boolean test() {
      succeeded = succeeded || trial.getAsBoolean();
      return succeeded;
    }

    @Override
    public long await() {
      while (!test()) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      return 0;
    }
  }

  /**
   * Starts to send a message, which is empty if there is no memory, so that its receiver does not
   * wait.
   */
  private void send(Step.Send send) {
    MemorySegment data =
        isMissing(send.from()) ? nothing() : contiguous(send.from(), send.length());
    messages++;
    messageBytes += send.length();
    Request sent = context.comm().startSend(data, send.destination(), context.tag());
    begin(
        send.slot(),
        new PeerRequest(sent, send.destination(), send.from() instanceof ByteLocation.Memory));
  }

  private void receive(Step.Receive receive) {
    Request request;
    if (isMissing(receive.to())) {
      Request dropped = context.comm().startReceive(nothing(), receive.source(), context.tag());
      request = new Dropped(dropped);
    } else {
      MemorySegment into = contiguous(receive.to(), receive.length());
      request = context.comm().startReceive(into, receive.source(), context.tag());
    }
    begin(
        receive.slot(),
        new PeerRequest(request, receive.source(), receive.to() instanceof ByteLocation.Memory));
  }

  /** A receive without memory: the message is truncated, and counts as received. */
  private record Dropped(Request request) implements Request {
    @Override
    public void cancel() {
      request.cancel();
    }

    @Override
    public boolean test() {
      try {
        return request.test();
      } catch (MpiException cut) {
        return true;
      }
    }

    @Override
    public long await() {
      try {
        return request.await();
      } catch (MpiException cut) {
        return 0;
      }
    }
  }

  /** Returns an empty segment in place of missing memory. */
  private static MemorySegment nothing() {
    return MemorySegment.ofArray(new byte[0]);
  }

  private void begin(int slot, Request request) {
    started.computeIfAbsent(slot, absent -> new ArrayList<>()).add(request);
  }

  private Request await(int slot) {
    List<Request> requests = started.get(slot);
    return requests == null || requests.isEmpty() ? null : new All(slot, requests);
  }

  /** All requests of a slot. */
  private final class All implements Request {
    private final int slot;
    private final List<Request> requests;

    All(int slot, List<Request> requests) {
      this.slot = slot;
      this.requests = requests;
    }

    @Override
    public boolean test() {
      for (int i = requests.size() - 1; i >= 0; i--) {
        if (!requests.get(i).test()) {
          return false;
        }
        note(requests.remove(i));
      }
      return true;
    }

    @Override
    public long await() {
      for (Request request : requests) {
        request.await();
        note(request);
      }
      requests.clear();
      return 0;
    }

    private void note(Request request) {
      if (request instanceof PendingExchange exchange) {
        received.put(slot, exchange.received());
      }
    }
  }

  private MemoryExtents memoryOf(ByteLocation place) {
    return switch (place) {
      case ByteLocation.Memory own -> context.memory();
      case ByteLocation.Peer peer -> memoryOf(peer.rank());
      case ByteLocation.Buffer buffer ->
          MemoryExtents.contiguous(buffers.get(buffer.id()).segment());
      case ByteLocation.Window _ -> MemoryExtents.contiguous(window().own());
    };
  }

  private static long positionIn(ByteLocation place) {
    return switch (place) {
      case ByteLocation.Memory own -> own.packed();
      case ByteLocation.Peer peer -> peer.packed();
      case ByteLocation.Buffer buffer -> buffer.offset();
      case ByteLocation.Window window -> window.offset();
    };
  }

  private MemorySegment contiguous(ByteLocation place, long length) {
    return place instanceof ByteLocation.Buffer buffer
        ? buffers.get(buffer.id()).segment().asSlice(buffer.offset(), length)
        : memoryOf(place).slice(positionIn(place), length);
  }

  private void copy(Step.Copy copy) {
    copiedBytes += copy.length();
    if (copy.from() instanceof ByteLocation.Buffer source) {
      MemorySegment buffer = buffers.get(source.id()).segment();
      memoryOf(copy.to()).copyIn(positionIn(copy.to()), buffer, source.offset(), copy.length());
      return;
    }
    MemorySegment target = contiguous(copy.to(), copy.length());
    memoryOf(copy.from()).copyOut(positionIn(copy.from()), target, 0, copy.length());
  }

  /** Returns the neighbour whose memory a place is in; null if it is in this process. */
  private CrossMemoryAttach.Neighbour neighbourOf(ByteLocation place) {
    return place instanceof ByteLocation.Peer peer
        ? context.peers().neighbours()[peer.rank()]
        : null;
  }

  private void scatter(Step.Scatter scatter) {
    long total = scatter.to().totalBytes();
    copiedBytes += total;
    CrossMemoryAttach.Neighbour neighbour = neighbourOf(scatter.from());
    if (neighbour != null) {
      MemorySegment window = buffers.get(scatter.buffer()).segment();
      long from = positionIn(scatter.from());
      context.peers().access().copy(neighbour, from, window, scatter.to(), true);
      return;
    }
    MemoryExtents memory = memoryOf(scatter.from());
    MemorySegment buffer = buffers.get(scatter.buffer()).segment();
    long at = positionIn(scatter.from());
    if (memory.contiguous(at, total)) {
      Strides.scatter(memory.base(), memory.offsetOf(at), buffer, scatter.to());
    } else {
      Strides.scatter(memory, at, buffer, scatter.to());
    }
  }

  private void gather(Step.Gather gather) {
    long total = gather.from().totalBytes();
    copiedBytes += total;
    CrossMemoryAttach.Neighbour neighbour = neighbourOf(gather.to());
    if (neighbour != null) {
      MemorySegment window = buffers.get(gather.buffer()).segment();
      long to = positionIn(gather.to());
      context.peers().access().copy(neighbour, to, window, gather.from(), false);
      return;
    }
    MemoryExtents memory = memoryOf(gather.to());
    MemorySegment buffer = buffers.get(gather.buffer()).segment();
    long at = positionIn(gather.to());
    if (memory.contiguous(at, total)) {
      Strides.gather(buffer, gather.from(), memory.base(), memory.offsetOf(at));
    } else {
      Strides.gather(buffer, gather.from(), memory, at);
    }
  }

  private void read(Step.Read read) {
    file.read(read.file(), memoryOf(read.to()), positionIn(read.to()), read.zerosPastEnd());
  }

  private void readSkipping(Step.SkippingRead read) {
    file.readSkipping(read.file(), memoryOf(read.to()), positionIn(read.to()), read.gapBytes());
  }

  private void write(Step.Write write) {
    file.write(write.file(), memoryOf(write.from()), positionIn(write.from()));
  }

  private void transferList(Step.ListTransfer list) {
    ExtentRuns extents = list.file();
    MemoryExtents memory = memoryOf(list.memory());
    file.list(extents, memory, positionIn(list.memory()), list.write());
  }
}
