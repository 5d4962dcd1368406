package org.hyperslab.mpi;

import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;

/**
 * A group of ranks that exchange messages. Ranks count from 0.
 *
 * <p>Methods without a datatype move bytes. Counts are long: a count beyond the range of an int is
 * passed as a derived datatype. Memory that is too short for a call is rejected with {@link
 * InvalidUseException} before MPI is called. Collective calls, from {@link #barrier} on, must be
 * made by every rank of the communicator in the same order.
 *
 * <p>Thread rule: {@link Mpi#threadLevel} applies; two threads must not make collective calls of
 * one communicator at once.
 */
public final class MpiCommunicator implements AutoCloseable {

  /** For {@code source}: any rank. */
  public static final int ANY_SOURCE = Integer.MIN_VALUE;

  /** For {@code tag}: any tag. */
  public static final int ANY_TAG = Integer.MIN_VALUE;

  private final Mpi mpi;
  private final Library library;
  private final long handle;
  private final boolean predefined;
  private final int rank;
  private final int size;
  private final long bytes;
  private final MpiCollectives collectives;
  private boolean closed;

  private MpiCommunicator(Mpi mpi, long handle, boolean predefined) {
    this.mpi = mpi;
    this.library = mpi.library();
    this.handle = handle;
    this.predefined = predefined;
    if (!predefined || !mpi.isForeign()) {
      long returning = library.handle(Predefined.ERRORS_RETURN);
      library.call(Call.COMM_SET_ERRHANDLER, value(handle), value(returning));
    }
    this.rank = library.anInt(Call.COMM_RANK, value(handle));
    this.size = library.anInt(Call.COMM_SIZE, value(handle));
    this.bytes = library.handle(Predefined.BYTE);
    this.collectives = new MpiCollectives(library, handle, rank, size);
  }

  static MpiCommunicator predefined(Mpi mpi, Predefined which) {
    return new MpiCommunicator(mpi, mpi.library().handle(which), true);
  }

  /** {@return the MPI instance of this communicator} */
  public Mpi mpi() {
    return mpi;
  }

  /** {@return this rank's number, from 0} */
  public int rank() {
    return rank;
  }

  /** {@return the number of ranks} */
  public int size() {
    return size;
  }

  /** {@return the name, such as {@code MPI_COMM_WORLD}; empty if none was set} */
  public String name() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(1024);
      MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
      library.call(Call.COMM_GET_NAME, value(handle()), text, length);
      return text.getString(0);
    }
  }

  /**
   * Sets the name of this communicator.
   *
   * @param name the name
   */
  public void setName(String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(name);
      library.call(Call.COMM_SET_NAME, value(handle()), text);
    }
  }

  /**
   * Sends bytes; returns when {@code data} may be changed again.
   *
   * @param data the bytes to send
   * @param destination the rank of the receiver
   * @param tag the tag of the message
   */
  public void send(MemorySegment data, int destination, int tag) {
    send(Call.SEND, data, data.byteSize(), bytes, new Peer(destination, tag));
  }

  /**
   * Sends elements; returns when {@code data} may be changed again.
   *
   * @param data the bytes to send
   * @param count the number of elements
   * @param type the datatype of an element
   * @param destination the rank of the receiver
   * @param tag the tag of the message
   */
  public void send(MemorySegment data, long count, MpiDatatype type, int destination, int tag) {
    type.requireRoom(data, count);
    send(Call.SEND, data, count, type.handle(), new Peer(destination, tag));
  }

  /**
   * Sends bytes as {@link #send(MemorySegment, int, int)} does; returns only when the receiver has
   * begun to receive.
   *
   * @param data the bytes to send
   * @param destination the rank of the receiver
   * @param tag the tag of the message
   */
  public void sendSynchronously(MemorySegment data, int destination, int tag) {
    send(Call.SSEND, data, data.byteSize(), bytes, new Peer(destination, tag));
  }

  private record Peer(int rank, int tag) {}

  private void send(Call call, MemorySegment data, long count, long type, Peer to) {
    try (HeapStaging.Staged out = library.buffers().filled(data);
        LargeCount n = LargeCount.of(library, count, type)) {
      library.call(call, n.arguments(out.memory(), value(to.rank), value(to.tag), value(handle())));
    }
  }

  /**
   * Receives at most as many bytes as {@code into} holds.
   *
   * @param into the memory that receives the bytes
   * @param source a rank or {@link #ANY_SOURCE}
   * @param tag a tag or {@link #ANY_TAG}
   * @return the status of the message
   */
  public MpiStatus receive(MemorySegment into, int source, int tag) {
    return receive(into, into.byteSize(), bytes, true, peer(source, tag));
  }

  /**
   * Receives elements, at most {@code count}.
   *
   * @param into the memory that receives the bytes
   * @param count the number of elements
   * @param type the datatype of an element
   * @param source the rank of the sender, or {@link #ANY_SOURCE}
   * @param tag the tag of the message
   * @return the status of the message
   */
  public MpiStatus receive(MemorySegment into, long count, MpiDatatype type, int source, int tag) {
    type.requireRoom(into, count);
    return receive(into, count, type.handle(), type.isDense(), peer(source, tag));
  }

  private MpiStatus receive(MemorySegment into, long count, long type, boolean dense, Peer from) {
    requireWritable(into);
    try (Arena arena = Arena.ofConfined();
        HeapStaging.Staged in = stage(into, dense);
        LargeCount n = LargeCount.of(library, count, type)) {
      MemorySegment result = library.newStatus(arena);
      library.call(
          Call.RECV,
          n.arguments(in.memory(), value(from.rank), value(from.tag), value(handle()), result));
      MpiStatus status = library.status(result);
      in.copyOut(0, dense ? status.bytes() : into.byteSize());
      return status;
    }
  }

  /**
   * Starts to send bytes.
   *
   * @param data the bytes to send
   * @param destination the rank of the receiver
   * @param tag the tag of the message
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startSend(MemorySegment data, int destination, int tag) {
    return startSend(data, data.byteSize(), bytes, new Peer(destination, tag));
  }

  /**
   * Starts to send elements.
   *
   * @param data the bytes to send
   * @param count the number of elements
   * @param type the datatype of an element
   * @param destination the rank of the receiver
   * @param tag the tag of the message
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startSend(
      MemorySegment data, long count, MpiDatatype type, int destination, int tag) {
    type.requireRoom(data, count);
    return startSend(data, count, type.handle(), new Peer(destination, tag));
  }

  private MpiRequest startSend(MemorySegment data, long count, long type, Peer to) {
    try (LargeCount n = LargeCount.of(library, count, type)) {
      HeapStaging.Staged out = library.buffers().filled(data);
      return MpiRequest.start(
          library,
          Call.ISEND,
          out,
          MpiRequest.Return.NOTHING,
          n.arguments(out.memory(), value(to.rank), value(to.tag), value(handle())));
    }
  }

  /**
   * Starts to receive bytes.
   *
   * @param into the memory that receives the bytes
   * @param source the rank of the sender, or {@link #ANY_SOURCE}
   * @param tag the tag of the message
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startReceive(MemorySegment into, int source, int tag) {
    return startReceive(into, into.byteSize(), bytes, true, peer(source, tag));
  }

  /**
   * Starts to receive elements.
   *
   * @param into the memory that receives the bytes
   * @param count the number of elements
   * @param type the datatype of an element
   * @param source the rank of the sender, or {@link #ANY_SOURCE}
   * @param tag the tag of the message
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startReceive(
      MemorySegment into, long count, MpiDatatype type, int source, int tag) {
    type.requireRoom(into, count);
    return startReceive(into, count, type.handle(), type.isDense(), peer(source, tag));
  }

  private MpiRequest startReceive(
      MemorySegment into, long count, long type, boolean dense, Peer from) {
    requireWritable(into);
    try (LargeCount n = LargeCount.of(library, count, type)) {
      HeapStaging.Staged in = stage(into, dense);
      return MpiRequest.start(
          library,
          Call.IRECV,
          in,
          dense ? MpiRequest.Return.RECEIVED : MpiRequest.Return.ALL,
          n.arguments(in.memory(), value(from.rank), value(from.tag), value(handle())));
    }
  }

  /**
   * Waits until a message can be received and returns its status, without receiving it.
   *
   * @param source the rank of the sender, or {@link #ANY_SOURCE}
   * @param tag the tag of the message
   * @return the status of the message
   */
  public MpiStatus probe(int source, int tag) {
    Peer from = peer(source, tag);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment result = library.newStatus(arena);
      library.call(Call.PROBE, value(from.rank), value(from.tag), value(handle()), result);
      return library.status(result);
    }
  }

  /**
   * {@return the status of a message that can be received now; empty if there is none}
   *
   * @param source the rank of the sender, or {@link #ANY_SOURCE}
   * @param tag the tag of the message
   */
  public Optional<MpiStatus> probeNow(int source, int tag) {
    Peer from = peer(source, tag);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment found = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment result = library.newStatus(arena);
      library.call(Call.IPROBE, value(from.rank), value(from.tag), value(handle()), found, result);
      return found.get(ValueLayout.JAVA_INT, 0) == 0
          ? Optional.empty()
          : Optional.of(library.status(result));
    }
  }

  private Peer peer(int source, int tag) {
    return new Peer(
        source == ANY_SOURCE ? library.constant(Constant.ANY_SOURCE) : source,
        tag == ANY_TAG ? library.constant(Constant.ANY_TAG) : tag);
  }

  private HeapStaging.Staged stage(MemorySegment into, boolean dense) {
    return dense ? library.buffers().empty(into) : library.buffers().filled(into);
  }

  private static void requireWritable(MemorySegment into) {
    if (into.isReadOnly()) {
      throw new InvalidUseException("receive: actual=a read-only segment, expected=a writable one");
    }
  }

  /** Waits until every rank has made this call. */
  public void barrier() {
    library.call(Call.BARRIER, value(handle()));
  }

  /** {@return the collective calls of this communicator that move data} */
  public MpiCollectives collectives() {
    handle();
    return collectives;
  }

  /**
   * Returns the communicator of the ranks that give the same colour, ordered by key, then by rank.
   *
   * @param color the colour of this rank; less than 0 for none
   * @param key the sort key of this rank within its colour
   * @return the new communicator, to be closed by the caller; null if {@code color < 0}
   */
  public MpiCommunicator split(int color, int key) {
    int paint = color < 0 ? library.constant(Constant.UNDEFINED) : color;
    return made(library.newHandle(Call.COMM_SPLIT, value(handle()), value(paint), value(key)));
  }

  /**
   * {@return a communicator of the ranks that share memory with this one, in rank order; to be
   * closed by the caller}
   */
  public MpiCommunicator splitByNode() {
    int kind = library.constant(Constant.COMM_TYPE_SHARED);
    long noInfo = library.handle(Predefined.INFO_NULL);
    return made(
        library.newHandle(
            Call.COMM_SPLIT_TYPE, value(handle()), value(kind), value(rank), value(noInfo)));
  }

  /** {@return a duplicate: the same ranks with separate messages; to be closed by the caller} */
  public MpiCommunicator duplicate() {
    return made(library.newHandle(Call.COMM_DUP, value(handle())));
  }

  /**
   * Starts to duplicate this communicator, without waiting for other ranks.
   *
   * @return the duplication; every rank starts it
   */
  public MpiDuplication startDuplicate() {
    return new MpiDuplication(this);
  }

  /**
   * Creates a communicator whose ranks form a Cartesian grid.
   *
   * @param dimensions the lengths of the grid, such as {@link Mpi#dimensions} chooses
   * @param periodic for each dimension, whether its first and last coordinates are neighbours
   * @param reorder whether MPI may renumber the ranks to suit the machine
   * @return the new communicator, to be closed by the caller; null on ranks beyond the grid
   */
  public MpiCommunicator grid(int[] dimensions, boolean[] periodic, boolean reorder) {
    int count = dimensions.length;
    if (periodic.length != count) {
      throw new InvalidUseException(
          "periodic: actual=" + periodic.length + " entries, expected=" + count);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment lengths = arena.allocateFrom(ValueLayout.JAVA_INT, dimensions);
      MemorySegment rings = MpiGrid.flags(arena, periodic);
      int mayReorder = reorder ? 1 : 0;
      return made(
          library.newHandle(
              Call.CART_CREATE, value(handle()), value(count), lengths, rings, value(mayReorder)));
    }
  }

  /** {@return the grid of the ranks; empty if this communicator was not made as a grid} */
  public Optional<MpiGrid> grid() {
    int kind = library.anInt(Call.TOPO_TEST, value(handle()));
    return kind == library.constant(Constant.CART)
        ? Optional.of(new MpiGrid(this))
        : Optional.empty();
  }

  /** Wraps the handle that a call returned; returns null for the null handle. */
  MpiCommunicator made(long returned) {
    return returned == library.handle(Predefined.COMM_NULL)
        ? null
        : new MpiCommunicator(mpi, returned, false);
  }

  /**
   * {@return the rank in another communicator of each rank of this one; -1 for those that it lacks}
   *
   * @param other the other communicator
   */
  public int[] ranksIn(MpiCommunicator other) {
    long mine = group();
    long theirs = other.group();
    try {
      return MpiGroups.translate(library, mine, theirs);
    } finally {
      library.free(Call.GROUP_FREE, mine);
      library.free(Call.GROUP_FREE, theirs);
    }
  }

  /**
   * {@return whether another communicator has the same ranks in the same order} Not collective.
   *
   * @param other the other communicator
   */
  public boolean isCongruent(MpiCommunicator other) {
    int order = library.anInt(Call.COMM_COMPARE, value(handle()), value(other.handle()));
    return order == library.constant(Constant.IDENT)
        || order == library.constant(Constant.CONGRUENT);
  }

  long group() {
    return library.newHandle(Call.COMM_GROUP, value(handle()));
  }

  /**
   * Ends all ranks of the job at once: {@link Mpi#abort}.
   *
   * @param code the exit code of the job, other than 0
   * @param why the reason, printed on standard error
   */
  public void abort(int code, String why) {
    mpi.abort(code, why);
  }

  long handle() {
    if (closed) {
      throw new InvalidUseException(
          "communicator: actual=a closed one, expected=an open one, at=rank " + rank);
    }
    return handle;
  }

  /** {@return whether this is a predefined communicator (world or self), which is never freed} */
  public boolean isPredefined() {
    return predefined;
  }

  /** Frees this communicator; collective. Predefined communicators are never freed. */
  @Override
  public void close() {
    if (!closed && !predefined && !library.isFinished()) {
      closed = true;
      library.free(Call.COMM_FREE, handle);
    }
  }

  @Override
  public String toString() {
    return "rank " + rank + " of " + size + (closed ? " (closed)" : "");
  }
}
