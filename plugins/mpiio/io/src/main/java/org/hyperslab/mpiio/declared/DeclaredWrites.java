package org.hyperslab.mpiio.declared;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Request;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.declared.AggregationPlan.Part;
import org.hyperslab.mpiio.hint.Hints;

/**
 * Writes that all ranks have declared, made one after the other: aggregators collect them over many
 * calls, in two buffers of which one is filled while the other is written.
 *
 * <pre>{@code
 * try (DeclaredWrites writes = file.declareWrites(offsets, lengths)) {
 *   writes.write(x);
 *   writes.write(y);
 * }
 * }</pre>
 *
 * <p>What a call writes is in the file when {@link #close} has returned. A call waits if its
 * aggregator has no room, until other ranks have made earlier writes; ranks need not make their
 * calls at the same time otherwise. Bytes that several ranks write have one of their values.
 *
 * <p>A rank that closes without having made all its writes gives up the others; then close fails on
 * every rank, and what the others wrote is in the file.
 *
 * <p>Thread rule: one thread, the communicator's. Source: TAPIOCA (Tessier, Vishwanath, Jeannot,
 * 2017), sections III and IV; puts are messages that arrive in place, for one-sided ones do not
 * work in every MPI library.
 */
public final class DeclaredWrites implements AutoCloseable {

  private static final int TAG = 78;

  private final Communicator comm;
  private final ByteStore store;
  private final Declaration mine;
  private final AggregationPlan plan;
  private final BufferPool pool;
  private final ExecutorService writer;
  private final RoundBuffers buffers;
  private HyperslabException failure;
  private int next;
  private final Patience patience;
  private boolean closed;

  /** Why other ranks are not waited for any more; null while they are. */
  private MpiException lost;

  /**
   * How writes are collected.
   *
   * @param bufferBytes the memory of an aggregator, for both buffers, at least 2
   * @param aggregators the most ranks that collect; 0 for one in eight ranks
   * @param deadlineNanos how long a rank waits for others while nothing moves, in nanoseconds
   */
  public record Options(long bufferBytes, int aggregators, long deadlineNanos) {

    /**
     * Waits for other ranks as long as files do without hints.
     *
     * @param bufferBytes the memory of an aggregator, for both buffers, at least 2
     * @param aggregators the most ranks that collect; 0 for one in eight ranks
     */
    public Options(long bufferBytes, int aggregators) {
      this(bufferBytes, aggregators, Hints.defaults().deadlineNanos());
    }

    /**
     * Checks the numbers.
     *
     * @throws InvalidUseException naming the one that is too small
     */
    public Options {
      if (bufferBytes < 2 || aggregators < 0 || deadlineNanos <= 0) {
        throw new InvalidUseException(
            "collecting declared writes: actual="
                + bufferBytes
                + " bytes, "
                + aggregators
                + " aggregators, "
                + deadlineNanos
                + " ns, expected=at least 2, 0 and 1");
      }
    }
  }

  private DeclaredWrites(Communicator comm, ByteStore store, Options options, Declaration mine) {
    this.comm = comm.duplicate();
    this.store = store;
    this.mine = mine;
    long round = options.bufferBytes / 2;
    int most = options.aggregators == 0 ? (comm.size() + 7) / 8 : options.aggregators;
    this.plan = AggregationPlan.of(declarations(), Math.min(most, comm.size()), round);
    int partition = plan.partitionOf(comm.rank());
    boolean collects = partition >= 0 && plan.rounds(partition) > 0;
    this.pool = new BufferPool(0);
    this.patience = new Patience(options.deadlineNanos, options.bufferBytes);
    Lease lease = leased(collects ? 2 * round : 0);
    this.writer = collects ? Executors.newSingleThreadExecutor(DeclaredWrites::thread) : null;
    RoundBuffers.Collected collected = new RoundBuffers.Collected(this.comm, TAG, store, writer);
    this.buffers = collects ? new RoundBuffers(collected, plan, partition, lease, round) : null;
  }

  /** Takes the buffers of an aggregator, if any; where one has no memory, all ranks fail. */
  private Lease leased(long bytes) {
    Lease lease = null;
    HyperslabException refused = null;
    try {
      lease = bytes == 0 ? null : pool.take(bytes);
    } catch (OutOfMemoryError | IllegalArgumentException e) {
      OutOfMemoryError memory = new OutOfMemoryError(bytes + " bytes");
      memory.initCause(e);
      refused = SharedFailure.typed(memory, "declared writes");
    }
    try {
      SharedFailure.throwIfAny(comm, refused);
      return lease;
    } catch (HyperslabException shared) {
      if (lease != null) {
        lease.close();
      }
      comm.close();
      throw shared;
    }
  }

  private static Thread thread(Runnable task) {
    return Thread.ofPlatform().daemon().name("declared-writes").unstarted(task);
  }

  private List<Declaration> declarations() {
    long[] counts = new long[comm.size()];
    long[] encoded = mine.encode();
    long[] length = {encoded.length};
    comm.allGather(MemorySegment.ofArray(length), MemorySegment.ofArray(counts));
    long[] bytes = new long[counts.length];
    long[] offsets = new long[counts.length];
    long total = 0;
    for (int i = 0; i < counts.length; i++) {
      bytes[i] = counts[i] * Long.BYTES;
      offsets[i] = total;
      total = Math.addExact(total, bytes[i]);
    }
    long[] all = new long[Math.toIntExact(total / Long.BYTES)];
    comm.allGatherV(MemorySegment.ofArray(encoded), MemorySegment.ofArray(all), bytes, offsets);
    List<Declaration> declarations = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      int from = (int) (offsets[i] / Long.BYTES);
      long[] one = new long[(int) counts[i]];
      System.arraycopy(all, from, one, 0, one.length);
      declarations.add(Declaration.decode(one));
    }
    return declarations;
  }

  /**
   * Declares what all ranks are going to write. Collective.
   *
   * @param comm the ranks; what they tell each other goes over a duplicate of it
   * @param store the file, which every rank has open; stays its owner's
   * @param options how writes are collected, the same on all ranks
   * @param offsets the file offset of each of this rank's writes in their order, in bytes
   * @param lengths the length of each, in bytes
   * @return the writes, to be made and then closed by every rank
   * @throws InvalidUseException on all ranks if one declares what cannot be written
   */
  public static DeclaredWrites declare(
      Communicator comm, ByteStore store, Options options, long[] offsets, long[] lengths) {
    Declaration mine = null;
    HyperslabException wrong = null;
    try {
      mine = Declaration.of(offsets, lengths);
    } catch (HyperslabException e) {
      wrong = e;
    }
    SharedFailure.throwIfAny(comm, wrong);
    return new DeclaredWrites(comm, store, options, mine);
  }

  /**
   * Makes the next declared write. The memory may be used again when it returns.
   *
   * @param data its bytes, as many as were declared
   * @throws InvalidUseException if there are not as many, or all writes have been made; the
   *     declared write can still be made then
   * @throws MpiException if nothing moves for the time of the options, or the thread is
   *     interrupted; then every later call fails at once, {@code data} must not be used again if it
   *     is above 8 KiB, and what has been written is unspecified within the declared extents
   */
  public void write(MemorySegment data) {
    if (closed || next == mine.count()) {
      throw new InvalidUseException(
          "declared write: actual=" + (next + 1) + " of " + mine.count() + ", expected=no more");
    }
    if (data.byteSize() != mine.length(next)) {
      throw new InvalidUseException(
          "declared write "
              + next
              + ": actual="
              + data.byteSize()
              + " bytes, expected="
              + mine.length(next)
              + " as declared");
    }
    if (lost != null) {
      throw given();
    }
    for (Part part : plan.parts(comm.rank(), next)) {
      make(part, data.asSlice(part.inWrite(), part.length()));
    }
    next++;
  }

  private MpiException given() {
    return new MpiException(
        lost.call(), lost.rank(), lost.code(), lost.text() + "; given up before", lost);
  }

  private void make(Part part, MemorySegment data) {
    if (part.isOwn()) {
      writeOwn(part, data);
    } else if (plan.aggregator(part.partition()) == comm.rank()) {
      while (!buffers.put(part, data)) {
        goOn(buffers::awaited);
      }
    } else {
      MemorySegment sent = data == null ? MemorySegment.ofArray(new byte[0]) : data;
      int aggregator = plan.aggregator(part.partition());
      Request request = comm.startSend(sent, aggregator, TAG);
      while (!request.test()) {
        goOn(() -> List.of(aggregator));
      }
    }
    patience.moved();
    advance();
  }

  private void writeOwn(Part part, MemorySegment data) {
    if (data == null || failure != null) {
      return;
    }
    try {
      store.write(part.offset(), data);
    } catch (RuntimeException | OutOfMemoryError e) {
      failure = SharedFailure.typed(e, "declared write");
    }
  }

  private boolean advance() {
    return buffers != null && buffers.advance();
  }

  /** Does what this rank collects meanwhile, or waits a little. */
  private void goOn(Supplier<? extends Collection<Integer>> awaited) {
    boolean moved = advance();
    if (moved || (buffers != null && buffers.isWriting())) {
      patience.moved();
    }
    if (moved) {
      return;
    }
    try {
      patience.pause(awaited);
    } catch (MpiException givenUp) {
      lost = givenUp;
      throw givenUp;
    }
  }

  /** {@return in words: who collects, in how many rounds} */
  public String explain() {
    return "declared writes: " + plan;
  }

  /**
   * Waits until everything is in the file. Collective; closing twice does nothing.
   *
   * @throws HyperslabException on all ranks if writing failed on any, or a rank has not made all
   *     its writes
   * @throws MpiException on this rank if others have been given up: then it closes for itself
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    boolean together = false;
    try {
      if (lost != null) {
        throw given();
      }
      if (next < mine.count()) {
        giveUp();
      }
      patience.moved();
      while (buffers != null && !buffers.isDone()) {
        goOn(buffers::awaited);
      }
      together = true;
      HyperslabException collecting = buffers == null ? null : buffers.failure();
      SharedFailure.throwIfAny(comm, failure == null ? collecting : failure);
    } finally {
      if (buffers != null) {
        writer.shutdown();
        buffers.close();
      }
      pool.close();
      if (together) {
        comm.close();
      }
    }
  }

  private void giveUp() {
    failure =
        new InvalidUseException(
            "declared writes: actual="
                + next
                + " made by rank "
                + comm.rank()
                + ", expected="
                + mine.count()
                + " before they are closed");
    for (; next < mine.count(); next++) {
      plan.parts(comm.rank(), next).forEach(part -> make(part, null));
    }
  }

  /** Returns the bytes of buffers that have not been given back. */
  long leasedBufferBytes() {
    return pool.lentBytes();
  }

  /** {@return the most bytes of buffers that this rank has used} */
  public long peakBufferBytes() {
    return pool.peakBytes();
  }
}
