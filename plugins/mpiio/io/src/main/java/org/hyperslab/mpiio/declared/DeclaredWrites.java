package org.hyperslab.mpiio.declared;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.mpiio.collective.TransferLane;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.PutWindow;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.declared.AggregationPlan.Part;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.put.PutRounds;

/**
 * Makes writes that all ranks have declared: aggregators collect them over many calls, in two
 * buffers of which one is filled while the other is written.
 *
 * <pre>{@code
 * try (DeclaredWrites writes = file.declareWrites(offsets, lengths)) {
 *   writes.write(x);
 *   writes.write(y);
 * }
 * }</pre>
 *
 * <p>Written bytes are in the file when {@link #close} has returned. A call waits while its
 * aggregator has no room, until other ranks have made earlier writes; otherwise ranks need not make
 * their calls at the same time. Bytes that several ranks write have one of their values.
 *
 * <p>A rank that closes before it has made all its writes abandons the remaining ones; close then
 * fails on every rank, and the writes that were made are in the file.
 *
 * <p>Thread rule: one thread, the communicator's. Source: TAPIOCA (Tessier, Vishwanath, Jeannot,
 * 2017), sections III and IV. Puts go into memory that ranks share, or into a window of the MPI
 * library; where there is neither, they are messages that are received in place.
 */
public final class DeclaredWrites implements AutoCloseable {

  /** The meaning of the first byte of a rank's declaration. */
  private static final byte DECLARED = 0;

  private static final byte WRONG = 1;

  private final Communicator comm;
  private final ByteStore store;
  private final Declarations declarations;
  private final Declaration mine;
  private final AggregationPlan plan;
  private final PartTransport transport;
  private HyperslabException failure;
  private int next;
  private final BoundedWait boundedWait;
  private final long deadlineNanos;
  private boolean closed;

  /** Whether this rank has asked the others whether all have made their writes. */
  private boolean together;

  /** The failure after which this rank does not wait for others; null if there is none. */
  private MpiException lost;

  /**
   * Options for collecting writes.
   *
   * <p>Thread rule: immutable.
   */
  public static final class Options {

    private final long bufferBytes;
    private final int aggregators;
    private final long deadlineNanos;
    private final Hints.DeclaredTransport transport;

    private Options(Builder builder) {
      bufferBytes = builder.bufferBytes;
      aggregators = builder.aggregators;
      deadlineNanos = builder.deadlineNanos;
      transport = builder.transport;
    }

    /** {@return a builder that starts with the defaults} */
    public static Builder builder() {
      return new Builder();
    }

    /**
     * {@return what hints of a file say}
     *
     * @param buffering the sizes of buffers
     * @param hints the hints that limit waiting and choose how writes travel
     */
    public static Options of(Hints.Buffering buffering, Hints hints) {
      return builder()
          .bufferBytes(Math.max(2, buffering.bufferBytes()))
          .aggregators(buffering.nodes())
          .deadlineNanos(hints.deadlineNanos())
          .transport(hints.declaredTransport())
          .build();
    }

    /** {@return a builder that starts with these options} */
    public Builder toBuilder() {
      Builder builder = new Builder();
      builder.bufferBytes = bufferBytes;
      builder.aggregators = aggregators;
      builder.deadlineNanos = deadlineNanos;
      builder.transport = transport;
      return builder;
    }

    /** {@return the memory of an aggregator, for both buffers, at least 2} */
    public long bufferBytes() {
      return bufferBytes;
    }

    /** {@return the most ranks that collect; 0 for one in eight ranks} */
    public int aggregators() {
      return aggregators;
    }

    /** {@return how long a rank waits for others while nothing moves, in nanoseconds} */
    public long deadlineNanos() {
      return deadlineNanos;
    }

    /** {@return how writes travel to aggregators} */
    public Hints.DeclaredTransport transport() {
      return transport;
    }

    private List<Object> values() {
      return List.of(bufferBytes, aggregators, deadlineNanos, transport);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Options options && values().equals(options.values());
    }

    @Override
    public int hashCode() {
      return values().hashCode();
    }

    /** Returns all options with their values. */
    @Override
    public String toString() {
      return "Options[bufferBytes="
          + bufferBytes
          + ", aggregators="
          + aggregators
          + ", deadlineNanos="
          + deadlineNanos
          + ", transport="
          + transport
          + "]";
    }

    /** Collects options; confined to one thread. */
    public static final class Builder {
      private long bufferBytes = 16L << 20;
      private int aggregators;
      private long deadlineNanos = Hints.defaults().deadlineNanos();
      private Hints.DeclaredTransport transport = Hints.DeclaredTransport.AUTOMATIC;

      private Builder() {}

      /**
       * Sets the memory of an aggregator, for both buffers, at least 2.
       *
       * @param newBufferBytes the memory of an aggregator, for both buffers, at least 2
       * @return this builder
       */
      public Builder bufferBytes(long newBufferBytes) {
        this.bufferBytes = newBufferBytes;
        return this;
      }

      /**
       * Sets the most ranks that collect.
       *
       * @param newAggregators the most ranks that collect; 0 for one in eight ranks
       * @return this builder
       */
      public Builder aggregators(int newAggregators) {
        this.aggregators = newAggregators;
        return this;
      }

      /**
       * Sets how long a rank waits for others while nothing moves, in nanoseconds.
       *
       * @param newDeadlineNanos how long a rank waits for others while nothing moves, in
       *     nanoseconds
       * @return this builder
       */
      public Builder deadlineNanos(long newDeadlineNanos) {
        this.deadlineNanos = newDeadlineNanos;
        return this;
      }

      /**
       * Sets how writes travel to aggregators.
       *
       * @param newTransport how writes travel to aggregators
       * @return this builder
       */
      public Builder transport(Hints.DeclaredTransport newTransport) {
        this.transport = newTransport;
        return this;
      }

      /**
       * {@return the options}
       *
       * @throws InvalidUseException naming the one that is too small
       */
      public Options build() {
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

        return new Options(this);
      }
    }
  }

  /** Elects the rank that collects each part of the file. */
  @FunctionalInterface
  public interface Election {

    /**
     * Elects; called by every rank.
     *
     * @param shares for each rank alternating parts, ascending, and the bytes that it has of them
     * @param parts the number of parts, at most as many as ranks
     * @return the rank of each part, no rank twice; empty for the ranks with most bytes
     */
    Optional<int[]> elect(long[][] shares, int parts);
  }

  private DeclaredWrites(
      Communicator comm,
      ByteStore store,
      Options options,
      Election election,
      List<Declaration> all) {
    this.comm = comm;
    this.store = store;
    this.mine = all.get(comm.rank());
    this.declarations = comm.remembered(Declarations.class, Declarations::new);
    int tag = declarations.nextTag();
    this.plan = plan(all, options, election);
    this.deadlineNanos = options.deadlineNanos();
    this.boundedWait =
        new BoundedWait(options.deadlineNanos(), options.bufferBytes(), comm.ticker());
    this.transport = transport(options.transport(), tag);
  }

  /** Plans the writes of all ranks. */
  static AggregationPlan plan(List<Declaration> all, Options options, Election election) {
    int size = all.size();
    int most = options.aggregators() == 0 ? (size + 7) / 8 : options.aggregators();
    return AggregationPlan.of(all, Math.min(most, size), options.bufferBytes() / 2, election);
  }

  /** Opens the way that the option asks for; messages if there is no such way here. */
  private PartTransport transport(Hints.DeclaredTransport wanted, int tag) {
    long[] bytes = PutTransport.windowBytes(comm.size(), plan);
    Optional<PutWindow> window =
        switch (wanted) {
          case MESSAGES -> Optional.empty();
          case AUTOMATIC, MEMORY ->
              declarations.window().lend(comm, bytes, PutTransport.epochs(plan));
          case WINDOW -> libraryWindow(bytes[comm.rank()]);
        };
    if (window.isEmpty()) {
      Executor workers = TransferLane.workers(comm.ticker());
      return new MessageTransport(new RoundBuffers.Collected(comm, tag, store, workers), plan);
    }
    PutRounds puts = new PutRounds(comm, tag, store, window.get());
    return new PutTransport(comm.rank(), comm.size(), plan, window.get(), puts);
  }

  private Optional<PutWindow> libraryWindow(long bytes) {
    comm.limit(deadlineNanos);
    try {
      return PutWindow.ofLibrary(comm, bytes);
    } finally {
      comm.limit(0);
    }
  }

  /**
   * Declares the writes of all ranks. Collective.
   *
   * @param comm the ranks; messages between them have a tag that no other declaration has
   * @param store the file, which every rank has open; the caller still owns it
   * @param options the options, the same on all ranks
   * @param offsets the file offset of each of this rank's writes in their order, in bytes
   * @param lengths the length of each, in bytes
   * @return the writes, to be made and then closed by every rank
   * @throws InvalidUseException on all ranks if a declaration is invalid
   */
  public static DeclaredWrites declare(
      Communicator comm, ByteStore store, Options options, long[] offsets, long[] lengths) {
    return declare(comm, store, options, (shares, parts) -> Optional.empty(), offsets, lengths);
  }

  /**
   * Declares the writes of all ranks, which elect those that collect them. Collective.
   *
   * @param comm the ranks; messages between them have a tag that no other declaration has
   * @param store the file, which every rank has open; the caller still owns it
   * @param options the options, the same on all ranks
   * @param election elects the ranks that collect
   * @param offsets the file offset of each of this rank's writes in their order, in bytes
   * @param lengths the length of each, in bytes
   * @return the writes, to be made and then closed by every rank
   * @throws InvalidUseException on all ranks if a declaration is invalid
   */
  public static DeclaredWrites declare(
      Communicator comm,
      ByteStore store,
      Options options,
      Election election,
      long[] offsets,
      long[] lengths) {
    Declaration mine = null;
    HyperslabException wrong = null;
    try {
      mine = Declaration.of(offsets, lengths);
    } catch (HyperslabException e) {
      wrong = e;
    }
    byte[][] told = comm.allGatherBytes(exchanged(mine, wrong));
    List<Declaration> all = new ArrayList<>();
    byte[][] failures = new byte[told.length][];
    for (int rank = 0; rank < told.length; rank++) {
      byte[] content = Arrays.copyOfRange(told[rank], 1, told[rank].length);
      boolean sound = told[rank][0] == DECLARED;
      failures[rank] = sound ? new byte[0] : content;
      if (sound) {
        all.add(Declaration.decode(content));
      }
    }
    if (all.size() < told.length) {
      throw SharedFailure.of(failures, comm.rank(), wrong);
    }
    DeclaredWrites writes = new DeclaredWrites(comm, store, options, election, all);
    writes.declarations.opened(writes);
    return writes;
  }

  /**
   * Returns what a rank is going to write, or what is wrong with that, behind a byte that states
   * which.
   */
  private static byte[] exchanged(Declaration mine, HyperslabException wrong) {
    byte[] content = wrong == null ? mine.encode() : SharedFailure.encode(wrong);
    byte[] told = new byte[1 + content.length];
    told[0] = wrong == null ? DECLARED : WRONG;
    System.arraycopy(content, 0, told, 1, content.length);
    return told;
  }

  /**
   * Makes the next declared write. The memory may be reused when this returns.
   *
   * @param data the bytes, of the declared length
   * @throws InvalidUseException if the length differs, in which case the declared write can still
   *     be made, or if all writes have been made
   * @throws MpiException if nothing moves for the time of the options, or the thread is
   *     interrupted; then every later call fails at once, {@code data} must not be used again if it
   *     is above 8 KiB, and the content of the file is unspecified within the declared extents
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
    transport.writeMade();
  }

  private MpiException given() {
    return new MpiException(
        lost.call(), lost.rank(), lost.code(), lost.text() + "; given up before", lost);
  }

  private void make(Part part, MemorySegment data) {
    if (part.isOwn()) {
      writeOwn(part, data);
    } else {
      send(part, data);
    }
    boundedWait.moved();
    transport.advance();
  }

  private void send(Part part, MemorySegment data) {
    PartTransport.Sending sending = transport.start(part, data);
    boolean sent = false;
    try {
      while (!sending.test()) {
        proceed(sending::awaitedRanks);
      }
      sent = true;
    } finally {
      if (!sent) {
        sending.giveUp();
      }
    }
  }

  private void writeOwn(Part part, MemorySegment data) {
    if (data == null || failure != null) {
      return;
    }
    try {
      store.write(part.offset(), data);
    } catch (RuntimeException | Error e) {
      failure = SharedFailure.typed(e, "declared write");
    }
  }

  /** Advances the collection of this rank, or pauses briefly. */
  private void proceed(Supplier<? extends Collection<Integer>> awaited) {
    boolean moved = transport.advance();
    if (moved || transport.isWriting()) {
      boundedWait.moved();
    }
    if (moved) {
      return;
    }
    try {
      boundedWait.pause(awaited);
    } catch (MpiException givenUp) {
      lost = givenUp;
      throw givenUp;
    }
  }

  /** {@return a description of the aggregators and rounds} */
  public String explain() {
    return "declared writes: " + plan + ", " + transport.describe();
  }

  /**
   * Waits until everything is in the file. Collective; closing twice does nothing.
   *
   * @throws HyperslabException on all ranks if writing failed on any, or a rank has not made all
   *     its writes
   * @throws MpiException on this rank if it has stopped waiting for others; it then closes by
   *     itself
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      agree();
    } catch (RuntimeException | Error failed) {
      try {
        free();
      } catch (MpiException unfreed) {
        failed.addSuppressed(unfreed);
      }
      throw failed;
    }
    free();
  }

  /** Waits until this rank has collected everything, and for the other ranks. */
  private void agree() {
    if (lost != null) {
      throw given();
    }
    if (next < mine.count()) {
      abandon();
    }
    boundedWait.moved();
    while (!transport.isDone()) {
      proceed(transport::awaitedRanks);
    }
    comm.limit(closeNanos());
    HyperslabException collecting = transport.failure();
    together = true;
    SharedFailure.throwIfAny(comm, failure == null ? collecting : failure);
  }

  /** Closes this without waiting for other ranks, when the communicator is closed before. */
  void giveUp() {
    closed = true;
    declarations.closed(this);
    transport.close(false);
  }

  /** Frees the buffers; ranks may meet for that, too. */
  private void free() {
    declarations.closed(this);
    comm.limit(deadlineNanos);
    try {
      transport.close(together && !comm.isLost());
    } finally {
      comm.limit(0);
    }
  }

  /** Others may be in any of the rounds still, in each of which they may wait for a rank. */
  private long closeNanos() {
    long waits = 2;
    for (int partition = 0; partition < plan.partitions(); partition++) {
      waits += plan.rounds(partition);
    }
    return deadlineNanos > Long.MAX_VALUE / waits ? Long.MAX_VALUE : waits * deadlineNanos;
  }

  private void abandon() {
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

  /** Returns the number of bytes of buffers in use. */
  long leasedBufferBytes() {
    return transport.leasedBytes();
  }

  /** {@return the greatest number of bytes of buffers that this rank has used} */
  public long peakBufferBytes() {
    return transport.peakBytes();
  }
}
