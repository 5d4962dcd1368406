package org.hyperslab.mpiio.comm;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.waiting.Ticker;

/**
 * One rank's end of a communicator whose ranks are threads.
 *
 * <p>Collective calls work in three steps: each rank posts its part on the board; when all have
 * posted, each copies what it needs from the others' parts, writing only to its own memory; when
 * all have copied, the parts belong to their owners again.
 */
final class ThreadCommunicator implements Communicator {

  private final ThreadGroupContext context;
  private final int rank;
  private final int worldRank;
  private final boolean isWorld;
  private final List<Integer> grid;
  private final CommunicatorCache remembered;
  private boolean closed;

  /** The time that the next collective call waits; 0 for no limit. */
  private long limitNanos;

  /** The index of the board that the current collective call uses. */
  private int turn;

  ThreadCommunicator(ThreadGroupContext context, int rank, boolean isWorld) {
    this(context, rank, isWorld, List.of(), new CommunicatorCache());
  }

  private ThreadCommunicator(
      ThreadGroupContext context,
      int rank,
      boolean isWorld,
      List<Integer> grid,
      CommunicatorCache remembered) {
    this.grid = grid;
    this.remembered = remembered;
    this.context = context;
    this.rank = rank;
    this.worldRank = context.worldRanks()[rank];
    this.isWorld = isWorld;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return context.size();
  }

  @Override
  public Ticker ticker() {
    return context.universe().ticker();
  }

  @Override
  public String describe() {
    return "threads " + rank + " of " + size();
  }

  @Override
  public String toString() {
    return describe();
  }

  @Override
  public void send(MemorySegment data, int destination, int tag) {
    startSend(data, destination, tag).await();
  }

  @Override
  public long receive(MemorySegment into, int source, int tag) {
    return startReceive(into, source, tag).await();
  }

  @Override
  public Request startSend(MemorySegment data, int destination, int tag) {
    check("send");
    ArgumentChecks.peer("destination", destination, size());
    ArgumentChecks.tag(tag);
    MessageQueue.Sending sending = new MessageQueue.Sending(data, tag);
    MessageQueue queue = context.lane(rank, destination);
    queue.send(sending);
    return new SendRequest(queue, sending, "send to rank " + destination + " with tag " + tag);
  }

  @Override
  public Request startReceive(MemorySegment into, int source, int tag) {
    check("receive");
    ArgumentChecks.peer("source", source, size());
    ArgumentChecks.tag(tag);
    if (into.isReadOnly()) {
      throw new InvalidUseException("receive: actual=a read-only segment, expected=a writable one");
    }
    MessageQueue.Receiving receiving = new MessageQueue.Receiving(into, tag);
    MessageQueue queue = context.lane(source, rank);
    queue.receive(receiving);
    return new ReceiveRequest(queue, receiving, "receive from rank " + source + " with tag " + tag);
  }

  @Override
  public void barrier() {
    check("barrier");
    meet("barrier", null);
    checkAgreement("barrier");
  }

  @Override
  public void broadcast(MemorySegment data, int root) {
    ArgumentChecks.peer("root", root, size());
    String call = "broadcast from rank " + root + " of " + data.byteSize() + " bytes";
    collective(
        call,
        rank == root ? MessageQueue.reachable(data) : null,
        parts -> {
          if (rank != root) {
            data.copyFrom((MemorySegment) parts.of(root));
          }
        });
  }

  @Override
  public byte[] broadcastBytes(byte[] data, int root) {
    ArgumentChecks.peer("root", root, size());
    byte[][] received = new byte[1][];
    collective(
        "broadcast of bytes from rank " + root,
        rank == root ? data.clone() : null,
        parts -> received[0] = rank == root ? data.clone() : ((byte[]) parts.of(root)).clone());
    return received[0];
  }

  @Override
  public void allGather(MemorySegment mine, MemorySegment all) {
    long bytes = mine.byteSize();
    ArgumentChecks.length("all", all.byteSize(), Math.multiplyExact(bytes, (long) size()));
    collective(
        "allGather of " + bytes + " bytes",
        MessageQueue.reachable(mine),
        parts -> {
          for (int source = 0; source < size(); source++) {
            MemorySegment.copy((MemorySegment) parts.of(source), 0, all, bytes * source, bytes);
          }
        });
  }

  @Override
  public byte[][] allGatherBytes(byte[] mine) {
    byte[][] all = new byte[size()][];
    collective(
        "allGather of byte arrays",
        mine,
        parts -> {
          for (int source = 0; source < all.length; source++) {
            all[source] = ((byte[]) parts.of(source)).clone();
          }
        });
    return all;
  }

  @Override
  public void allGatherV(MemorySegment mine, MemorySegment all, long[] counts, long[] offsets) {
    ArgumentChecks.parts("all", all.byteSize(), counts, offsets, size());
    ArgumentChecks.length("mine", mine.byteSize(), counts[rank]);
    collective(
        "allGatherV",
        MessageQueue.reachable(mine),
        parts -> {
          for (int source = 0; source < size(); source++) {
            MemorySegment part = (MemorySegment) parts.of(source);
            agree("allGatherV", source, part.byteSize(), counts[source]);
            MemorySegment.copy(part, 0, all, offsets[source], counts[source]);
          }
        });
  }

  @Override
  public void allToAll(long[] mine, long[] theirs, int each) {
    ArgumentChecks.length("mine", mine.length, (long) each * size());
    ArgumentChecks.length("theirs", theirs.length, (long) each * size());
    collective(
        "allToAll of " + each + " longs",
        mine,
        parts -> {
          for (int source = 0; source < size(); source++) {
            long[] part = (long[]) parts.of(source);
            System.arraycopy(part, each * rank, theirs, each * source, each);
          }
        });
  }

  /** The arguments of a rank in {@link #allToAllV}. */
  private record Scattered(MemorySegment data, long[] counts, long[] offsets) {}

  @Override
  public void allToAllV(
      MemorySegment send,
      long[] sendCounts,
      long[] sendOffsets,
      MemorySegment receive,
      long[] receiveCounts,
      long[] receiveOffsets) {
    ArgumentChecks.parts("send", send.byteSize(), sendCounts, sendOffsets, size());
    ArgumentChecks.parts("receive", receive.byteSize(), receiveCounts, receiveOffsets, size());
    collective(
        "allToAllV",
        new Scattered(MessageQueue.reachable(send), sendCounts, sendOffsets),
        parts -> {
          for (int step = 0; step < size(); step++) {
            int source = (rank + step) % size();
            Scattered part = (Scattered) parts.of(source);
            agree("allToAllV", source, part.counts[rank], receiveCounts[source]);
            MemorySegment.copy(
                part.data,
                part.offsets[rank],
                receive,
                receiveOffsets[source],
                receiveCounts[source]);
          }
        });
  }

  @Override
  public void allReduce(long[] values, Reduction reduction) {
    String call = "allReduce " + reduction + " of " + values.length + " longs";
    reduce(call, values, reduction, 0, size());
  }

  @Override
  public void exclusiveScan(long[] values, Reduction reduction) {
    String call = "exclusiveScan " + reduction + " of " + values.length + " longs";
    reduce(call, values, reduction, 0, rank);
    if (rank == 0) {
      Arrays.fill(values, 0);
    }
  }

  private void reduce(String call, long[] values, Reduction reduction, int first, int end) {
    long[] result = new long[values.length];
    Arrays.fill(result, reduction.identity());
    collective(
        call,
        values,
        parts -> {
          for (int source = first; source < end; source++) {
            reduction.accumulate(result, (long[]) parts.of(source));
          }
        });
    System.arraycopy(result, 0, values, 0, result.length);
  }

  @Override
  public Communicator split(int color, int key) {
    return split(color, key, List.of());
  }

  private Communicator split(int color, int key, List<Integer> itsGrid) {
    int[][] all = new int[size()][];
    collective(
        "split",
        new int[] {color, key},
        parts -> {
          for (int source = 0; source < all.length; source++) {
            all[source] = (int[]) parts.of(source);
          }
        });
    int[] members = color < 0 ? new int[] {rank} : SplitOrder.members(all, color);
    ThreadGroupContext created = null;
    if (color >= 0 && members[0] == rank) {
      created = ThreadGroupContext.of(context.universe(), worldRanks(members));
    }
    ThreadGroupContext[] found = new ThreadGroupContext[1];
    collective(
        "split's communicators",
        created,
        parts -> found[0] = color < 0 ? null : (ThreadGroupContext) parts.of(members[0]));
    return color < 0
        ? null
        : new ThreadCommunicator(
            found[0], SplitOrder.indexOf(members, rank), false, itsGrid, remembered.derive());
  }

  private int[] worldRanks(int[] members) {
    int[] worldRanks = new int[members.length];
    for (int i = 0; i < members.length; i++) {
      worldRanks[i] = context.worldRanks()[members[i]];
    }
    return worldRanks;
  }

  @Override
  public Communicator duplicate() {
    return split(0, rank, grid);
  }

  @Override
  public Communicator arranged(List<Integer> dimensions) {
    ArgumentChecks.grid(dimensions, size());
    return split(0, rank, List.copyOf(dimensions));
  }

  @Override
  public List<Integer> grid() {
    return grid;
  }

  @Override
  public long node() {
    return worldRank / context.universe().settings().ranksPerNode();
  }

  @Override
  public void limit(long nanos) {
    limitNanos = nanos;
  }

  @Override
  public boolean isLost() {
    return context.barrier().isBroken();
  }

  @Override
  public <T> T remembered(Class<T> kind, Supplier<T> find) {
    return remembered.get(kind, find);
  }

  @Override
  public void abort(int code, String why) {
    MpiException end = new MpiException("abort", worldRank, code, why);
    context.universe().fail(end);
    throw end;
  }

  @Override
  public void close() {
    closed = !isWorld;
    if (closed) {
      remembered.close();
    }
  }

  /** {@inheritDoc} Closing needs no other rank. */
  @Override
  public void leave() {
    close();
  }

  /**
   * Frees what is cached for this rank, which makes no calls any more, on this communicator and on
   * those derived from it that are still open.
   */
  void end() {
    remembered.closeAll();
  }

  /** The parts of the other ranks in a collective call. */
  @FunctionalInterface
  private interface Parts {
    Object of(int rank);
  }

  private void collective(String call, Object mine, Consumer<Parts> take) {
    check(call);
    meet(call, mine);
    checkAgreement(call);
    try {
      take.accept(other -> context.posted(turn, other).part());
    } finally {
      context.barrier().await(context.universe(), worldRank, rank, call, Long.MAX_VALUE);
    }
  }

  private void meet(String call, Object mine) {
    turn ^= 1;
    context.post(turn, rank, new ThreadGroupContext.Posting(call, mine));
    long nanos = limitNanos == 0 ? Long.MAX_VALUE : limitNanos;
    limitNanos = 0;
    context.barrier().await(context.universe(), worldRank, rank, call, nanos);
  }

  /**
   * Ends the world if this rank's call differs from its neighbour's. If any two ranks disagree, two
   * neighbours do.
   */
  private void checkAgreement(String call) {
    int next = (rank + 1) % size();
    String other = context.posted(turn, next).call();
    if (!other.equals(call)) {
      MpiException difference =
          new MpiException(
              call,
              worldRank,
              MpiException.NO_CODE,
              "ranks disagree: actual="
                  + other
                  + " on rank "
                  + next
                  + ", expected="
                  + call
                  + " as on rank "
                  + rank);
      context.universe().fail(difference);
      throw difference;
    }
  }

  private void agree(String call, int source, long sent, long expected) {
    if (sent != expected) {
      throw new MpiException(
          call,
          worldRank,
          MpiException.NO_CODE,
          "bytes from rank " + source + ": actual=" + sent + ", expected=" + expected);
    }
  }

  private void check(String call) {
    if (closed) {
      throw new InvalidUseException(call + ": actual=a closed communicator, expected=an open one");
    }
    context.universe().check(worldRank, call);
  }

  private boolean await(MessageQueue.End end, String what, BooleanSupplier done, long nanos) {
    if (done.getAsBoolean()) {
      return true;
    }
    end.waitedForBy(Thread.currentThread(), ticker());
    return context.universe().await(worldRank, what, done, nanos);
  }

  private final class SendRequest implements Request {
    private final MessageQueue queue;
    private final MessageQueue.Sending sending;
    private final String what;
    private boolean cancelled;

    SendRequest(MessageQueue queue, MessageQueue.Sending sending, String what) {
      this.queue = queue;
      this.sending = sending;
      this.what = what;
    }

    @Override
    public void cancel() {
      cancelled = true;
      queue.withdraw(sending);
    }

    @Override
    public boolean test() {
      if (!sending.isDone() && !cancelled) {
        context.universe().check(worldRank, what);
      }
      return sending.isDone();
    }

    @Override
    public long await() {
      awaitAtMost(Long.MAX_VALUE);
      return sending.bytes;
    }

    @Override
    public boolean awaitAtMost(long nanos) {
      return ThreadCommunicator.this.await(sending, what, sending::isDone, nanos);
    }
  }

  private final class ReceiveRequest implements Request {
    private final MessageQueue queue;
    private final MessageQueue.Receiving receiving;
    private final String what;
    private boolean cancelled;

    ReceiveRequest(MessageQueue queue, MessageQueue.Receiving receiving, String what) {
      this.queue = queue;
      this.receiving = receiving;
      this.what = what;
    }

    /** {@inheritDoc} A message that waits for this thread to copy it is not copied. */
    @Override
    public void cancel() {
      cancelled = true;
      queue.withdraw(receiving);
    }

    @Override
    public boolean test() {
      if (cancelled) {
        return receiving.isReady();
      }
      if (receiving.isReady()) {
        receiving.finish(worldRank, what);
        return true;
      }
      context.universe().check(worldRank, what);
      return false;
    }

    @Override
    public long await() {
      awaitAtMost(Long.MAX_VALUE);
      return receiving.finish(worldRank, what);
    }

    @Override
    public boolean awaitAtMost(long nanos) {
      return ThreadCommunicator.this.await(receiving, what, receiving::isReady, nanos);
    }
  }
}
