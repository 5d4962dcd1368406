package org.hyperslab.mpiio.comm;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.hyperslab.mpi.MpiCommunicator;
import org.hyperslab.mpiio.waiting.CallCounts;
import org.hyperslab.mpiio.waiting.StallWatch;
import org.hyperslab.mpiio.waiting.WaitingCall;

/**
 * A communicator of processes whose calls {@link StallWatch} observes: while a call waits, the
 * watch knows the awaited ranks.
 */
final class WatchedCommunicator implements Communicator {

  private final ProcessCommunicator comm;
  private final StallWatch watch;

  /** Null if the communicator was not derived from the world through this class. */
  private final CallCounts counts;

  private final WaitingCall waiting;

  private WatchedCommunicator(ProcessCommunicator comm, StallWatch watch, CallCounts counts) {
    this.comm = comm;
    this.watch = watch;
    this.counts = counts;
    this.waiting = new WaitingCall(comm.mpi(), counts);
    watch.add(waiting);
  }

  /** Returns the communicator, watched if the process has a {@link StallWatch}. */
  static Communicator of(ProcessCommunicator comm, boolean world) {
    Optional<StallWatch> watch =
        comm.size() == 1 ? Optional.empty() : StallWatch.of(comm.mpi().mpi());
    return watch
        .<Communicator>map(w -> new WatchedCommunicator(comm, w, world ? w.counts().world() : null))
        .orElse(comm);
  }

  private Communicator derived(Communicator made, CallCounts theirs) {
    return made == null ? null : new WatchedCommunicator((ProcessCommunicator) made, watch, theirs);
  }

  MpiCommunicator mpi() {
    return comm.mpi();
  }

  @Override
  public int rank() {
    return comm.rank();
  }

  @Override
  public int size() {
    return comm.size();
  }

  @Override
  public String describe() {
    return comm.describe();
  }

  @Override
  public String toString() {
    return comm.toString();
  }

  @Override
  public void send(MemorySegment data, int destination, int tag) {
    waiting.forRank("send", destination);
    try {
      comm.send(data, destination, tag);
    } finally {
      waiting.ends();
    }
  }

  @Override
  public long receive(MemorySegment into, int source, int tag) {
    waiting.forRank("receive", source);
    try {
      return comm.receive(into, source, tag);
    } finally {
      waiting.ends();
    }
  }

  @Override
  public Request startSend(MemorySegment data, int destination, int tag) {
    return new Watched(comm.startSend(data, destination, tag), "send", destination, waiting);
  }

  @Override
  public Request startReceive(MemorySegment into, int source, int tag) {
    return new Watched(comm.startReceive(into, source, tag), "receive", source, waiting);
  }

  private record Watched(Request request, String call, int peer, WaitingCall waiting)
      implements Request {
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
      waiting.forRank(call, peer);
      try {
        return request.await();
      } finally {
        waiting.ends();
      }
    }

    @Override
    public boolean awaitAtMost(long nanos) {
      waiting.forRank(call, peer);
      try {
        return request.awaitAtMost(nanos);
      } finally {
        waiting.ends();
      }
    }
  }

  @Override
  public void limit(long nanos) {
    comm.limit(nanos);
  }

  @Override
  public boolean isLost() {
    return comm.isLost();
  }

  @Override
  public void barrier() {
    waiting.forAll("barrier");
    try {
      comm.barrier();
    } finally {
      waiting.ends();
    }
  }

  @Override
  public void broadcast(MemorySegment data, int root) {
    waiting.forAll("broadcast");
    try {
      comm.broadcast(data, root);
    } finally {
      waiting.ends();
    }
  }

  @Override
  public void allGather(MemorySegment mine, MemorySegment all) {
    waiting.forAll("allGather");
    try {
      comm.allGather(mine, all);
    } finally {
      waiting.ends();
    }
  }

  @Override
  public void allGatherV(MemorySegment mine, MemorySegment all, long[] counts, long[] offsets) {
    waiting.forAll("allGatherV");
    try {
      comm.allGatherV(mine, all, counts, offsets);
    } finally {
      waiting.ends();
    }
  }

  @Override
  public void allToAll(long[] mine, long[] theirs, int each) {
    waiting.forAll("allToAll");
    try {
      comm.allToAll(mine, theirs, each);
    } finally {
      waiting.ends();
    }
  }

  @Override
  public void allToAllV(
      MemorySegment send,
      long[] sendCounts,
      long[] sendOffsets,
      MemorySegment receive,
      long[] receiveCounts,
      long[] receiveOffsets) {
    waiting.forAll("allToAllV");
    try {
      comm.allToAllV(send, sendCounts, sendOffsets, receive, receiveCounts, receiveOffsets);
    } finally {
      waiting.ends();
    }
  }

  @Override
  public void allReduce(long[] values, Reduction reduction) {
    waiting.forAll("allReduce");
    try {
      comm.allReduce(values, reduction);
    } finally {
      waiting.ends();
    }
  }

  @Override
  public void exclusiveScan(long[] values, Reduction reduction) {
    waiting.forAll("exclusiveScan");
    try {
      comm.exclusiveScan(values, reduction);
    } finally {
      waiting.ends();
    }
  }

  @Override
  public Communicator split(int color, int key) {
    return deriving("split", () -> comm.split(color, key));
  }

  @Override
  public Communicator duplicate() {
    return deriving("duplicate", comm::duplicate);
  }

  @Override
  public Communicator arranged(List<Integer> dimensions) {
    return deriving("grid", () -> comm.arranged(dimensions));
  }

  @Override
  public List<Integer> grid() {
    return comm.grid();
  }

  @Override
  public long node() {
    return comm.node();
  }

  private Communicator deriving(String call, Supplier<Communicator> action) {
    Communicator made;
    waiting.forAll(call);
    try {
      made = action.get();
    } finally {
      waiting.ends();
    }
    return derived(made, counts == null ? null : counts.derive());
  }

  @Override
  public Optional<PutWindow> libraryWindow(long bytes) {
    waiting.forAll("window");
    try {
      return comm.libraryWindow(bytes, this);
    } finally {
      waiting.ends();
    }
  }

  @Override
  public <T> T remembered(Class<T> kind, Supplier<T> find) {
    return comm.remembered(kind, find);
  }

  @Override
  public void abort(int code, String why) {
    comm.abort(code, why);
  }

  @Override
  public void close() {
    comm.close();
    if (!comm.mpi().isPredefined()) {
      watch.remove(waiting);
      if (counts != null) {
        counts.close();
      }
    }
  }

  /** {@inheritDoc} The calls that this rank has made stay counted, for the others to see. */
  @Override
  public void leave() {
    comm.leave();
    if (!comm.mpi().isPredefined()) {
      watch.remove(waiting);
    }
  }
}
