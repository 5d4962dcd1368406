package org.hyperslab.mpiio.schedule;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.MpiException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Request;
import org.hyperslab.mpiio.comm.SharedFailure;

/**
 * Runs a schedule step by step; messages progress while the rank copies, reads and writes.
 *
 * <p>When a step on the file or memory fails, the rest of the rank's file steps are left out, but
 * its messages still go their way, so that no other rank waits forever. The caller gets the failure
 * from {@link #failure} and must tell the other ranks. A failure of communication itself is thrown.
 *
 * <p>Thread rule: one thread, the communicator's.
 */
public final class Executor {

  /**
   * What a schedule works on.
   *
   * @param comm the communicator
   * @param store the file
   * @param memory the rank's own memory
   * @param peers how the other ranks' memory is reached
   * @param pool where buffers come from
   * @param lock the range lock
   */
  public record Context(
      Communicator comm,
      ByteStore store,
      MemoryExtents memory,
      Peers peers,
      BufferPool pool,
      RangeLock lock) {}

  /**
   * The memory of other ranks, as far as it is reached directly.
   *
   * @param memory of ranks of this process, by rank; null for others
   * @param neighbours ranks of other processes on this machine, by rank; null for others
   * @param access how neighbours are reached; null if none are
   */
  public record Peers(
      MemoryExtents[] memory, NeighbourMemory.Neighbour[] neighbours, NeighbourMemory access) {

    /**
     * {@return peers of which none is reached directly}
     *
     * @param ranks how many ranks there are
     */
    public static Peers none(int ranks) {
      return new Peers(new MemoryExtents[ranks], new NeighbourMemory.Neighbour[ranks], null);
    }
  }

  private static final int TAG = 77;

  /** What goes between the file and a neighbour's memory at one time. */
  private static final long STAGING_BYTES = 256 << 10;

  private final Context context;
  private final FileSteps file;
  private final Map<Integer, Lease> buffers = new HashMap<>();
  private final Map<Integer, List<Request>> started = new HashMap<>();
  private long messages;
  private long messageBytes;
  private long copiedBytes;
  private RuntimeException failure;

  /**
   * An executor for one schedule.
   *
   * @param context what the schedule works on
   */
  public Executor(Context context) {
    this.context = context;
    this.file = new FileSteps(context.store(), context.pool());
  }

  /** {@return what failed first on this rank; null if nothing did} */
  public RuntimeException failure() {
    return failure;
  }

  /**
   * Runs all rounds.
   *
   * @param schedule the steps
   * @return what was done
   * @throws MpiException if communication failed; other failures are kept in {@link #failure}
   */
  public Tally run(Schedule schedule) {
    int rounds = schedule.rounds().size();
    try {
      for (int i = 0; i < rounds; i++) {
        for (Step step : schedule.rounds().get(i)) {
          perform(step);
        }
      }
    } finally {
      buffers.values().forEach(Lease::close);
      buffers.clear();
      file.unlockAll(context.lock());
    }
    return new Tally(
        file.reads(),
        file.bytesRead(),
        file.writes(),
        file.bytesWritten(),
        messages,
        messageBytes,
        copiedBytes,
        rounds);
  }

  private void perform(Step step) {
    switch (step) {
      case Step.Allocate allocate ->
          buffers.put(allocate.buffer(), context.pool().take(allocate.bytes()));
      case Step.Release release -> buffers.remove(release.buffer()).close();
      case Step.Send send -> send(send);
      case Step.Receive receive -> receive(receive);
      case Step.Await await -> await(await.slot());
      case Step.Barrier barrier -> context.comm().barrier();
      case Step.Copy copy -> local(() -> copy(copy));
      case Step.Scatter scatter -> local(() -> scatter(scatter));
      case Step.Gather gather -> local(() -> gather(gather));
      case Step.Read read -> local(() -> read(read));
      case Step.SkippingRead read -> local(() -> readSkipping(read));
      case Step.Write write -> local(() -> write(write));
      case Step.ListTransfer list -> local(() -> transferList(list));
      case Step.Lock lock -> local(() -> file.lock(context.lock(), lock));
      case Step.Unlock unlock -> file.unlockAll(context.lock());
    }
  }

  /** Does what concerns this rank only, unless something failed before. */
  private void local(Runnable action) {
    if (failure != null) {
      return;
    }
    try {
      action.run();
    } catch (HyperslabException | IllegalStateException | IndexOutOfBoundsException failed) {
      failure = failed;
    } catch (RuntimeException | OutOfMemoryError unexpected) {
      failure = SharedFailure.typed(unexpected, "transfer");
    }
  }

  private void send(Step.Send send) {
    MemorySegment data = contiguous(send.from(), send.length());
    messages++;
    messageBytes += send.length();
    begin(send.slot(), context.comm().startSend(data, send.destination(), TAG));
  }

  private void receive(Step.Receive receive) {
    MemorySegment into = contiguous(receive.to(), receive.length());
    begin(receive.slot(), context.comm().startReceive(into, receive.source(), TAG));
  }

  private void begin(int slot, Request request) {
    started.computeIfAbsent(slot, absent -> new ArrayList<>()).add(request);
  }

  private void await(int slot) {
    List<Request> requests = started.get(slot);
    if (requests != null) {
      requests.forEach(Request::await);
      requests.clear();
    }
  }

  private MemoryExtents memoryOf(Place place) {
    return switch (place) {
      case Place.Memory own -> context.memory();
      case Place.Peer peer -> context.peers().memory()[peer.rank()];
      case Place.Buffer buffer -> MemoryExtents.contiguous(buffers.get(buffer.id()).segment());
    };
  }

  private static long positionIn(Place place) {
    return switch (place) {
      case Place.Memory own -> own.packed();
      case Place.Peer peer -> peer.packed();
      case Place.Buffer buffer -> buffer.offset();
    };
  }

  private MemorySegment contiguous(Place place, long length) {
    return place instanceof Place.Buffer buffer
        ? buffers.get(buffer.id()).segment().asSlice(buffer.offset(), length)
        : memoryOf(place).slice(positionIn(place), length);
  }

  private void copy(Step.Copy copy) {
    copiedBytes += copy.length();
    if (copy.from() instanceof Place.Buffer source) {
      MemorySegment buffer = buffers.get(source.id()).segment();
      memoryOf(copy.to()).copyIn(positionIn(copy.to()), buffer, source.offset(), copy.length());
      return;
    }
    MemorySegment target = contiguous(copy.to(), copy.length());
    memoryOf(copy.from()).copyOut(positionIn(copy.from()), target, 0, copy.length());
  }

  /** The neighbour whose memory a place is in; null if it is in this process. */
  private NeighbourMemory.Neighbour neighbourOf(Place place) {
    return place instanceof Place.Peer peer ? context.peers().neighbours()[peer.rank()] : null;
  }

  private void scatter(Step.Scatter scatter) {
    long total = scatter.to().totalBytes();
    copiedBytes += total;
    NeighbourMemory.Neighbour neighbour = neighbourOf(scatter.from());
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
    NeighbourMemory.Neighbour neighbour = neighbourOf(gather.to());
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
    NeighbourMemory.Neighbour neighbour = neighbourOf(read.to());
    if (neighbour != null) {
      throughStaging(neighbour, read.file(), positionIn(read.to()), false);
      return;
    }
    file.read(read.file(), memoryOf(read.to()), positionIn(read.to()), read.zerosPastEnd());
  }

  private void readSkipping(Step.SkippingRead read) {
    file.readSkipping(read.file(), memoryOf(read.to()), positionIn(read.to()), read.gapBytes());
  }

  private void write(Step.Write write) {
    NeighbourMemory.Neighbour neighbour = neighbourOf(write.from());
    if (neighbour != null) {
      throughStaging(neighbour, write.file(), positionIn(write.from()), true);
      return;
    }
    file.write(write.file(), memoryOf(write.from()), positionIn(write.from()));
  }

  /** Extents between the file and a neighbour's memory, a part at a time. */
  private void throughStaging(
      NeighbourMemory.Neighbour neighbour, ExtentRuns extents, long at, boolean writing) {
    try (Lease lease = context.pool().take(Math.min(STAGING_BYTES, extents.totalBytes()))) {
      MemorySegment staging = lease.segment();
      ExtentList.Cursor cursor = extents.cursor();
      while (cursor.next()) {
        for (long done = 0; done < cursor.length(); ) {
          long part = Math.min(staging.byteSize(), cursor.length() - done);
          MemorySegment piece = staging.asSlice(0, part);
          ExtentRuns extent = ExtentRuns.of(cursor.offset() + done, part);
          long position = at + cursor.packed() + done;
          if (writing) {
            context.peers().access().copy(neighbour, position, piece, true);
            file.write(extent, MemoryExtents.contiguous(piece), 0);
          } else {
            file.read(extent, MemoryExtents.contiguous(piece), 0, false);
            context.peers().access().copy(neighbour, position, piece, false);
          }
          copiedBytes += part;
          done += part;
        }
      }
    }
  }

  private void transferList(Step.ListTransfer list) {
    ExtentRuns extents = list.file();
    MemoryExtents memory = memoryOf(list.memory());
    file.list(extents, memory, positionIn(list.memory()), list.write());
  }
}
