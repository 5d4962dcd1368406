package org.hyperslab.mpiio.comm;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpi.MpiCollectives;
import org.hyperslab.mpi.MpiCommunicator;
import org.hyperslab.mpi.MpiDatatype;
import org.hyperslab.mpi.MpiDuplication;
import org.hyperslab.mpi.MpiOperation;
import org.hyperslab.mpi.MpiParts;
import org.hyperslab.mpi.MpiRequest;
import org.hyperslab.mpi.MpiType;
import org.hyperslab.mpi.MpiWindow;
import org.hyperslab.mpiio.waiting.IdleStrategy;

/** One rank's end of a communicator whose ranks are the processes of an MPI job. */
final class ProcessCommunicator implements Communicator {

  /**
   * The greatest number of sleeping ranks that exchange messages between all pairs. A tree needs
   * fewer messages, but each hop waits for a rank to wake up.
   */
  private static final int FEW_RANKS = 32;

  /** The greatest total length of values that each rank reduces by itself, in bytes. */
  private static final long FEW_BYTES = 32 << 10;

  /** The time for which the system may keep a process from running, in nanoseconds. */
  private static final long DELAY_NANOS = 3_000_000_000L;

  private final MpiCommunicator mpi;
  private final String name;
  private final MpiDatatype bytes;
  private final MpiDatatype longs;
  private final CommunicatorCache remembered = new CommunicatorCache();
  private final IdleStrategy idle = IdleStrategy.ofThisProcess();
  private boolean closed;

  /** The time that the next collective call waits; 0 for no limit. */
  private long limitNanos;

  private MpiException lost;

  ProcessCommunicator(MpiCommunicator mpi, String name) {
    this.mpi = mpi;
    this.name = name;
    this.bytes = mpi.mpi().type(MpiType.BYTE);
    this.longs = mpi.mpi().type(MpiType.INT64);
  }

  MpiCommunicator mpi() {
    return mpi;
  }

  @Override
  public int rank() {
    return mpi.rank();
  }

  @Override
  public int size() {
    return mpi.size();
  }

  @Override
  public String describe() {
    return name + " " + rank() + " of " + size() + " (" + mpi.mpi().libraryTitle() + ")";
  }

  @Override
  public String toString() {
    return name + " " + rank() + " of " + size();
  }

  @Override
  public void send(MemorySegment data, int destination, int tag) {
    checkOpen("send");
    ArgumentChecks.peer("destination", destination, size());
    ArgumentChecks.tag(tag);
    if (idle == IdleStrategy.NONE) {
      mpi.send(data, destination, tag);
    } else {
      idle.await(mpi.startSend(data, destination, tag));
    }
  }

  @Override
  public long receive(MemorySegment into, int source, int tag) {
    checkOpen("receive");
    ArgumentChecks.peer("source", source, size());
    ArgumentChecks.tag(tag);
    if (idle == IdleStrategy.NONE) {
      return mpi.receive(into, source, tag).bytes();
    }
    MpiRequest request = mpi.startReceive(into, source, tag);
    idle.await(request);
    return request.await().bytes();
  }

  @Override
  public Request startSend(MemorySegment data, int destination, int tag) {
    checkOpen("send");
    ArgumentChecks.peer("destination", destination, size());
    ArgumentChecks.tag(tag);
    return new Sent(mpi.startSend(data, destination, tag), data.byteSize(), idle);
  }

  @Override
  public Request startReceive(MemorySegment into, int source, int tag) {
    checkOpen("receive");
    ArgumentChecks.peer("source", source, size());
    ArgumentChecks.tag(tag);
    return new Received(mpi.startReceive(into, source, tag), idle);
  }

  /**
   * A send and its length, which MPI's status of a send does not have. It is not cancelled: Open
   * MPI ignores that for sends, and MPI 4 deprecates it.
   */
  private record Sent(MpiRequest request, long bytes, IdleStrategy idle) implements Request {
    @Override
    public boolean test() {
      return request.test();
    }

    @Override
    public long await() {
      idle.await(request);
      return bytes;
    }

    @Override
    public boolean awaitAtMost(long nanos) {
      return idle.awaitAtMost(request, nanos);
    }
  }

  private record Received(MpiRequest request, IdleStrategy idle) implements Request {
    @Override
    public boolean test() {
      return request.test();
    }

    @Override
    public void cancel() {
      request.cancel();
    }

    @Override
    public long await() {
      idle.await(request);
      return request.await().bytes();
    }

    @Override
    public boolean awaitAtMost(long nanos) {
      return idle.awaitAtMost(request, nanos);
    }
  }

  @Override
  public void barrier() {
    check("barrier");
    if (isQuick()) {
      mpi.barrier();
    } else {
      meet();
    }
  }

  @Override
  public void broadcast(MemorySegment data, int root) {
    ArgumentChecks.peer("root", root, size());
    check("broadcast");
    if (isQuick()) {
      mpi.collectives().broadcast(data, root);
    } else {
      await("broadcast", mpi.collectives().startBroadcast(data, root));
    }
  }

  @Override
  public void allGather(MemorySegment mine, MemorySegment all) {
    ArgumentChecks.length(
        "all", all.byteSize(), Math.multiplyExact(mine.byteSize(), (long) size()));
    if ((usesPairRounds() || limitNanos != 0) && all.byteSize() <= Integer.MAX_VALUE) {
      check("allGather");
      MemorySegment.copy(mine, 0, all, rank() * mine.byteSize(), mine.byteSize());
      await("allGather", mpi.collectives().startAllGather(all));
      return;
    }
    collectives("allGather").allGather(mine, all, mine.byteSize(), bytes);
  }

  /**
   * {@inheritDoc} The choice of the algorithm depends on values that are equal on all ranks: the
   * counts and the library.
   */
  @Override
  public void allGatherV(MemorySegment mine, MemorySegment all, long[] counts, long[] offsets) {
    ArgumentChecks.parts("all", all.byteSize(), counts, offsets, size());
    ArgumentChecks.length("mine", mine.byteSize(), counts[rank()]);
    MpiCollectives collectives = collectives("allGatherV");
    if (collectives.takesLargeCounts()) {
      collectives.allGatherV(mine, mine.byteSize(), new MpiParts(all, counts, offsets), bytes);
      return;
    }
    long[] packed = new long[size()];
    long total = 0;
    for (int source = 0; source < packed.length; source++) {
      packed[source] = total;
      total = Math.addExact(total, counts[source]);
    }
    if (total > Integer.MAX_VALUE) {
      broadcastEach(mine, all, counts, offsets);
    } else if (all.byteSize() <= Integer.MAX_VALUE) {
      collectives.allGatherV(mine, mine.byteSize(), new MpiParts(all, counts, offsets), bytes);
    } else {
      MemorySegment together = MemorySegment.ofArray(new byte[(int) total]);
      collectives.allGatherV(mine, mine.byteSize(), new MpiParts(together, counts, packed), bytes);
      for (int source = 0; source < packed.length; source++) {
        MemorySegment.copy(together, packed[source], all, offsets[source], counts[source]);
      }
    }
  }

  private void broadcastEach(MemorySegment mine, MemorySegment all, long[] counts, long[] offsets) {
    for (int source = 0; source < size(); source++) {
      if (counts[source] > 0) {
        MemorySegment part = all.asSlice(offsets[source], counts[source]);
        if (source == rank()) {
          part.copyFrom(mine);
        }
        mpi.collectives().broadcast(part, source);
      }
    }
  }

  @Override
  public void allToAll(long[] mine, long[] theirs, int each) {
    ArgumentChecks.length("mine", mine.length, (long) each * size());
    ArgumentChecks.length("theirs", theirs.length, (long) each * size());
    collectives("allToAll")
        .allToAll(MemorySegment.ofArray(mine), MemorySegment.ofArray(theirs), each, longs);
  }

  /**
   * {@inheritDoc} Sends messages between pairs: counts may have any size with any library, pairs
   * that exchange nothing cost nothing, and only the exchanged heap memory is copied.
   */
  @Override
  public void allToAllV(
      MemorySegment send,
      long[] sendCounts,
      long[] sendOffsets,
      MemorySegment receive,
      long[] receiveCounts,
      long[] receiveOffsets) {
    check("allToAllV");
    if (limitNanos != 0) {
      meet();
    }
    ArgumentChecks.parts("send", send.byteSize(), sendCounts, sendOffsets, size());
    ArgumentChecks.parts("receive", receive.byteSize(), receiveCounts, receiveOffsets, size());
    int me = rank();
    agree(me, sendCounts[me], receiveCounts[me]);
    List<MpiRequest> incoming = new ArrayList<>();
    List<Integer> sources = new ArrayList<>();
    for (int step = 1; step < size(); step++) {
      int source = (me - step + size()) % size();
      if (receiveCounts[source] > 0) {
        MemorySegment into = receive.asSlice(receiveOffsets[source], receiveCounts[source]);
        incoming.add(mpi.startReceive(into, source, ArgumentChecks.COLLECTIVE_TAG));
        sources.add(source);
      }
    }
    List<MpiRequest> outgoing = new ArrayList<>();
    for (int step = 1; step < size(); step++) {
      int peer = (me + step) % size();
      if (sendCounts[peer] > 0) {
        MemorySegment data = send.asSlice(sendOffsets[peer], sendCounts[peer]);
        outgoing.add(mpi.startSend(data, peer, ArgumentChecks.COLLECTIVE_TAG));
      }
    }
    if (sendCounts[me] > 0) {
      MemorySegment.copy(send, sendOffsets[me], receive, receiveOffsets[me], sendCounts[me]);
    }
    idle.awaitAll(incoming);
    idle.awaitAll(outgoing);
    for (int i = 0; i < sources.size(); i++) {
      agree(sources.get(i), incoming.get(i).await().bytes(), receiveCounts[sources.get(i)]);
    }
  }

  private void agree(int source, long sent, long expected) {
    if (sent != expected) {
      throw new MpiException(
          "allToAllV",
          rank(),
          MpiException.NO_CODE,
          "bytes from rank " + source + ": actual=" + sent + ", expected=" + expected);
    }
  }

  @Override
  public void allReduce(long[] values, Reduction reduction) {
    check("allReduce");
    if (usesPairRounds() && (long) values.length * Long.BYTES * size() <= FEW_BYTES) {
      reduceHere(values, reduction);
      return;
    }
    MemorySegment all = MemorySegment.ofArray(values);
    MpiOperation how = operation(reduction);
    if (isQuick()) {
      mpi.collectives().allReduce(all, values.length, longs, how);
    } else {
      await("allReduce", mpi.collectives().startAllReduce(all, values.length, longs, how));
    }
  }

  private void reduceHere(long[] values, Reduction reduction) {
    long[] all = new long[values.length * size()];
    allGather(MemorySegment.ofArray(values), MemorySegment.ofArray(all));
    Arrays.fill(values, reduction.identity());
    for (int at = 0; at < all.length; at += values.length) {
      reduction.accumulate(values, Arrays.copyOfRange(all, at, at + values.length));
    }
  }

  @Override
  public void exclusiveScan(long[] values, Reduction reduction) {
    collectives("exclusiveScan")
        .exclusiveScan(MemorySegment.ofArray(values), values.length, longs, operation(reduction));
    if (rank() == 0) {
      Arrays.fill(values, 0);
    }
  }

  private static MpiOperation operation(Reduction reduction) {
    return switch (reduction) {
      case MIN -> MpiOperation.MIN;
      case MAX -> MpiOperation.MAX;
      case SUM -> MpiOperation.SUM;
      case AND -> MpiOperation.BITWISE_AND;
      case OR -> MpiOperation.BITWISE_OR;
    };
  }

  @Override
  public Communicator split(int color, int key) {
    check("split");
    meet();
    MpiCommunicator part = mpi.split(color, key);
    return part == null ? null : new ProcessCommunicator(part, "part of " + name);
  }

  @Override
  public Communicator duplicate() {
    check("duplicate");
    MpiCommunicator copy = isQuick() ? mpi.duplicate() : awaitDuplicate(mpi.startDuplicate());
    return new ProcessCommunicator(copy, "duplicate of " + name);
  }

  @Override
  public Communicator arranged(List<Integer> dimensions) {
    ArgumentChecks.grid(dimensions, size());
    check("grid");
    meet();
    int[] lengths = dimensions.stream().mapToInt(Integer::intValue).toArray();
    MpiCommunicator made = mpi.grid(lengths, new boolean[lengths.length], false);
    return new ProcessCommunicator(made, "grid of " + name);
  }

  @Override
  public List<Integer> grid() {
    return mpi.grid()
        .map(found -> Arrays.stream(found.dimensions()).boxed().toList())
        .orElse(List.of());
  }

  private MpiCommunicator awaitDuplicate(MpiDuplication started) {
    await("duplicate", started.request());
    return started.await();
  }

  @Override
  public long node() {
    return NodeIdentity.number();
  }

  @Override
  public Optional<PutWindow> libraryWindow(long bytes) {
    return libraryWindow(bytes, this);
  }

  /**
   * Opens a window, as {@link #libraryWindow(long)} does. The limit applies before the library
   * allocates memory and after.
   *
   * @param closing the communicator on which ranks meet when they close it
   */
  Optional<PutWindow> libraryWindow(long bytes, Communicator closing) {
    check("window");
    if (size() == 1 || !MpiWindow.isSupported(mpi.mpi())) {
      return Optional.empty();
    }
    long limit = limitNanos;
    meet();
    long head = DirectWindow.headBytes(size());
    MpiWindow window = MpiWindow.open(mpi, bytes == 0 ? 0 : Math.addExact(head, bytes));
    limitNanos = limit;
    barrier();
    String text = "into a window of " + mpi.mpi().libraryTitle();
    return Optional.of(new LibraryWindow(closing, window, head, text));
  }

  @Override
  public <T> T remembered(Class<T> kind, Supplier<T> find) {
    return remembered.get(kind, find);
  }

  @Override
  public void abort(int code, String why) {
    mpi.abort(code, why);
  }

  /** {@inheritDoc} {@link MpiCommunicator#close} ignores predefined communicators. */
  @Override
  public void close() {
    leave();
    if (lost == null) { // else a call is under way, which MPI may wait for
      mpi.close();
    }
  }

  @Override
  public void leave() {
    closed = !mpi.isPredefined();
    if (closed) {
      remembered.close();
    }
  }

  /** Returns the collectives for a blocking call, once all ranks are about to make it. */
  private MpiCollectives collectives(String call) {
    check(call);
    meet();
    return mpi.collectives();
  }

  private boolean usesPairRounds() {
    return idle != IdleStrategy.NONE && size() <= FEW_RANKS;
  }

  /** Waits for all ranks with the idle strategy, instead of letting the library poll. */
  private void meet() {
    if (usesPairRounds()) {
      byte[] all = new byte[size()];
      await("meeting", mpi.collectives().startAllGather(MemorySegment.ofArray(all)));
    } else if (!isQuick()) {
      await("meeting", mpi.collectives().startBarrier());
    }
  }

  /** Returns whether the library itself may wait: that is quickest, but it waits for ever. */
  private boolean isQuick() {
    return idle == IdleStrategy.NONE && limitNanos == 0;
  }

  /** Waits as long as the next collective call may. */
  private void await(String call, MpiRequest request) {
    long nanos = limitNanos == 0 ? Long.MAX_VALUE : limitNanos;
    limitNanos = 0;
    if (nanos == Long.MAX_VALUE || idle.awaitAtMost(request, nanos)) {
      idle.await(request);
      return;
    }
    lost =
        new MpiException(
            call,
            rank(),
            MpiException.NO_CODE,
            "actual=has waited for "
                + nanos / 1_000_000
                + " ms for other ranks, expected=every rank makes the same collective calls in the"
                + " same order");
    Request.giveUp(List.of(new Sent(request, 0, idle)), () -> {}); // it cannot be cancelled
    throw lost;
  }

  /**
   * {@inheritDoc} A call that one process gives up may still end well on another that comes late,
   * which would then go on alone. So processes wait a little longer than the limit, which gives one
   * that has been delayed by the system the time to come.
   */
  @Override
  public void limit(long nanos) {
    limitNanos = nanos == 0 || nanos > Long.MAX_VALUE - DELAY_NANOS ? nanos : nanos + DELAY_NANOS;
  }

  @Override
  public boolean isLost() {
    return lost != null;
  }

  /** For calls of all ranks: not after one was given up. */
  private void check(String call) {
    checkOpen(call);
    if (lost != null) {
      throw new MpiException(
          call, rank(), MpiException.NO_CODE, lost.text() + "; given up before", lost);
    }
  }

  private void checkOpen(String call) {
    if (closed) {
      throw new InvalidUseException(call + ": actual=a closed communicator, expected=an open one");
    }
  }
}
