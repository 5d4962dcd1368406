package org.hyperslab.mpi;

import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * The collective calls of a communicator that move data. Every rank of the communicator must make
 * the same calls, in the same order, with matching arguments.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class MpiCollectives {

  private final Library library;
  private final long comm;
  private final int rank;
  private final int size;

  MpiCollectives(Library library, long comm, int rank, int size) {
    this.library = library;
    this.comm = comm;
    this.rank = rank;
    this.size = size;
  }

  /** {@return whether the library has functions that take counts and displacements beyond 2^31} */
  public boolean takesLargeCounts() {
    return library.has(Call.ALLGATHERV_C);
  }

  /**
   * Copies the root's bytes to every rank; all segments are equally long.
   *
   * @param data the root's bytes, or the memory that receives them
   * @param root the rank of the root
   */
  public void broadcast(MemorySegment data, int root) {
    broadcast(data, data.byteSize(), library.handle(Predefined.BYTE), root);
  }

  /**
   * Copies the root's elements to every rank.
   *
   * @param data the root's bytes, or the memory that receives them
   * @param count the number of elements
   * @param type the datatype of an element
   * @param root the rank of the root
   */
  public void broadcast(MemorySegment data, long count, MpiDatatype type, int root) {
    type.requireRoom(data, count);
    broadcast(data, count, type.handle(), root);
  }

  private void broadcast(MemorySegment data, long count, long type, int root) {
    try (HeapStaging.Staged all = library.buffers().filled(data);
        LargeCount n = LargeCount.of(library, count, type)) {
      library.call(Call.BCAST, n.arguments(all.memory(), value(root), value(comm)));
      if (rank != root) {
        all.copyOut();
      }
    }
  }

  /**
   * Gathers {@code count} elements of each rank, in rank order, on the root.
   *
   * @param mine this rank's part
   * @param all used on the root only; may be null elsewhere
   * @param count the number of elements
   * @param type the datatype of an element
   * @param root the rank of the root
   */
  public void gather(
      MemorySegment mine, MemorySegment all, long count, MpiDatatype type, int root) {
    MemorySegment everything = rank == root ? all : MemorySegment.NULL;
    requireRoom(mine, count, rank == root ? all : null, type);
    rooted(Call.GATHER, mine, everything, new Rooted(count, type.handle(), root));
  }

  /**
   * Scatters the root's elements, {@code count} to each rank.
   *
   * @param all used on the root only; may be null elsewhere
   * @param mine this rank's part
   * @param count the number of elements
   * @param type the datatype of an element
   * @param root the rank of the root
   */
  public void scatter(
      MemorySegment all, MemorySegment mine, long count, MpiDatatype type, int root) {
    MemorySegment everything = rank == root ? all : MemorySegment.NULL;
    requireRoom(mine, count, rank == root ? all : null, type);
    rooted(Call.SCATTER, everything, mine, new Rooted(count, type.handle(), root));
  }

  /**
   * The common arguments of a collective with a root: count and datatype of each part, and the
   * root.
   */
  private record Rooted(long count, long type, int root) {}

  private void rooted(Call call, MemorySegment from, MemorySegment to, Rooted how) {
    try (HeapStaging.Staged out = library.buffers().filled(from);
        HeapStaging.Staged in = library.buffers().filled(to);
        LargeCount n = LargeCount.of(library, how.count, how.type)) {
      int root = how.root;
      library.call(
          call, n.arguments(out.memory(), n.arguments(in.memory(), value(root), value(comm))));
      in.copyOut();
    }
  }

  /**
   * Gathers {@code count} elements of each rank, in rank order, on every rank.
   *
   * @param mine this rank's part
   * @param all the parts of all ranks, by rank
   * @param count the number of elements
   * @param type the datatype of an element
   */
  public void allGather(MemorySegment mine, MemorySegment all, long count, MpiDatatype type) {
    requireRoom(mine, count, all, type);
    exchange(Call.ALLGATHER, mine, all, count, type);
  }

  /**
   * Sends {@code count} elements to each rank and receives as many from each, both in rank order.
   *
   * @param mine this rank's part
   * @param theirs the memory that receives the parts of all ranks
   * @param count the number of elements
   * @param type the datatype of an element
   */
  public void allToAll(MemorySegment mine, MemorySegment theirs, long count, MpiDatatype type) {
    type.requireRoom(mine, Math.multiplyExact(count, (long) size));
    type.requireRoom(theirs, Math.multiplyExact(count, (long) size));
    exchange(Call.ALLTOALL, mine, theirs, count, type);
  }

  private void exchange(
      Call call, MemorySegment mine, MemorySegment all, long count, MpiDatatype type) {
    try (HeapStaging.Staged out = library.buffers().filled(mine);
        HeapStaging.Staged in = library.buffers().filled(all);
        LargeCount n = LargeCount.of(library, count, type.handle())) {
      library.call(call, n.arguments(out.memory(), n.arguments(in.memory(), value(comm))));
      in.copyOut();
    }
  }

  private void requireRoom(MemorySegment mine, long count, MemorySegment all, MpiDatatype type) {
    type.requireRoom(mine, count);
    if (all != null) {
      type.requireRoom(all, Math.multiplyExact(count, (long) size));
    }
  }

  /**
   * Gathers elements of all ranks, on every rank, at the displacements that {@code all} gives.
   *
   * @param mine this rank's part
   * @param count the number of elements
   * @param all the parts of all ranks, by rank
   * @param type the datatype of an element
   * @throws UnsupportedFeatureException if numbers exceed ints and the library has no large counts
   */
  public void allGatherV(MemorySegment mine, long count, MpiParts all, MpiDatatype type) {
    type.requireRoom(mine, count);
    all.requireRoom(type, size);
    if (size == 1 && type.isDense()) {
      // MPICH 4.0.2 ignores the displacement if there is only one rank.
      long extent = type.extentBytes();
      long to = all.displacements()[0] * extent;
      MemorySegment.copy(mine, 0, all.memory(), to, count * extent);
      return;
    }
    boolean large = library.has(Call.ALLGATHERV_C);
    requireInts(large || (all.fitsInts() && count == (int) count), Call.ALLGATHERV);
    try (Arena arena = Arena.ofConfined();
        HeapStaging.Staged out = library.buffers().filled(mine);
        HeapStaging.Staged in = library.buffers().filled(all.memory())) {
      MemorySegment counts = MpiParts.numbers(arena, all.counts(), !large);
      MemorySegment places = MpiParts.numbers(arena, all.displacements(), !large);
      long t = type.handle();
      library.call(
          large ? Call.ALLGATHERV_C : Call.ALLGATHERV,
          out.memory(),
          value(count),
          value(t),
          in.memory(),
          counts,
          places,
          value(t),
          value(comm));
      in.copyOut();
    }
  }

  /**
   * Exchanges elements between all pairs of ranks; the count that one rank sends must be the count
   * that the other receives.
   *
   * @param send the parts to send to each rank
   * @param receive the parts to receive from each rank
   * @param type the datatype of an element
   * @throws UnsupportedFeatureException if numbers exceed ints and the library has no large counts
   */
  public void allToAllV(MpiParts send, MpiParts receive, MpiDatatype type) {
    send.requireRoom(type, size);
    receive.requireRoom(type, size);
    boolean large = library.has(Call.ALLTOALLV_C);
    requireInts(large || (send.fitsInts() && receive.fitsInts()), Call.ALLTOALLV);
    try (Arena arena = Arena.ofConfined();
        HeapStaging.Staged out = library.buffers().filled(send.memory());
        HeapStaging.Staged in = library.buffers().filled(receive.memory())) {
      MemorySegment sendCounts = MpiParts.numbers(arena, send.counts(), !large);
      MemorySegment sendPlaces = MpiParts.numbers(arena, send.displacements(), !large);
      MemorySegment counts = MpiParts.numbers(arena, receive.counts(), !large);
      MemorySegment places = MpiParts.numbers(arena, receive.displacements(), !large);
      long t = type.handle();
      library.call(
          large ? Call.ALLTOALLV_C : Call.ALLTOALLV,
          out.memory(),
          sendCounts,
          sendPlaces,
          value(t),
          in.memory(),
          counts,
          places,
          value(t),
          value(comm));
      in.copyOut();
    }
  }

  private static void requireInts(boolean fits, Call call) {
    if (!fits) {
      throw new UnsupportedFeatureException(
          call.symbol()
              + ": actual=counts or displacements beyond 2^31, expected=a library with "
              + call.symbol()
              + "_c, or point-to-point messages");
    }
  }

  /**
   * Reduces over all ranks, element by element, and stores the result in {@code values} on each.
   *
   * @param values this rank's values, replaced by the result
   * @param count the number of elements
   * @param type the datatype of an element
   * @param operation how elements are combined
   */
  public void allReduce(
      MemorySegment values, long count, MpiDatatype type, MpiOperation operation) {
    inPlace(Call.ALLREDUCE, values, count, type, operation);
  }

  /**
   * Reduces over this rank and those before it, element by element, in place.
   *
   * @param values this rank's values, replaced by the result
   * @param count the number of elements
   * @param type the datatype of an element
   * @param operation how elements are combined
   */
  public void scan(MemorySegment values, long count, MpiDatatype type, MpiOperation operation) {
    inPlace(Call.SCAN, values, count, type, operation);
  }

  /**
   * Reduces over the ranks before this one, in place; on rank 0 the values are undefined.
   *
   * @param values this rank's values, replaced by the result
   * @param count the number of elements
   * @param type the datatype of an element
   * @param operation how elements are combined
   */
  public void exclusiveScan(
      MemorySegment values, long count, MpiDatatype type, MpiOperation operation) {
    inPlace(Call.EXSCAN, values, count, type, operation);
  }

  private void inPlace(
      Call call, MemorySegment values, long count, MpiDatatype type, MpiOperation operation) {
    type.requireRoom(values, count);
    long extent = type.extentBytes();
    long op = library.handle(operation.handle());
    MemorySegment inPlace = library.pointer(Constant.IN_PLACE);
    try (HeapStaging.Staged all = library.buffers().filled(values)) {
      // Predefined operations accept predefined types only, so large counts are split into pieces.
      for (long done = 0; done == 0 || done < count; done += LargeCount.RUN) {
        int piece = (int) Math.min(LargeCount.RUN, count - done);
        MemorySegment part = all.memory().asSlice(done * extent);
        library.call(
            call, inPlace, part, value(piece), value(type.handle()), value(op), value(comm));
      }
      all.copyOut();
    }
  }

  /**
   * Reduces over all ranks, element by element, onto the root.
   *
   * @param values this rank's values; on the root, they are replaced by the result
   * @param count the number of elements
   * @param type the datatype of an element
   * @param operation how elements are combined
   * @param root the rank of the root
   */
  public void reduce(
      MemorySegment values, long count, MpiDatatype type, MpiOperation operation, int root) {
    type.requireRoom(values, count);
    if (count > LargeCount.RUN) {
      throw new InvalidUseException(
          "count: actual=" + count + ", expected=at most " + LargeCount.RUN + " in one reduction");
    }
    long op = library.handle(operation.handle());
    MemorySegment inPlace = library.pointer(Constant.IN_PLACE);
    int n = (int) count;
    try (HeapStaging.Staged all = library.buffers().filled(values)) {
      MemorySegment out = rank == root ? inPlace : all.memory();
      MemorySegment in = rank == root ? all.memory() : MemorySegment.NULL;
      library.call(
          Call.REDUCE,
          out,
          in,
          value(n),
          value(type.handle()),
          value(op),
          value(root),
          value(comm));
      if (rank == root) {
        all.copyOut();
      }
    }
  }

  /**
   * Starts a barrier.
   *
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startBarrier() {
    return MpiRequest.start(
        library, Call.IBARRIER, List.of(), MpiRequest.Return.NOTHING, value(comm));
  }

  /**
   * Starts a broadcast of bytes.
   *
   * @param data the root's bytes, or the memory that receives them
   * @param root the rank of the root
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startBroadcast(MemorySegment data, int root) {
    try (LargeCount n = LargeCount.of(library, data.byteSize(), library.handle(Predefined.BYTE))) {
      HeapStaging.Staged all = library.buffers().filled(data);
      return MpiRequest.start(
          library,
          Call.IBCAST,
          all,
          rank == root ? MpiRequest.Return.NOTHING : MpiRequest.Return.ALL,
          n.arguments(all.memory(), value(root), value(comm)));
    }
  }

  /**
   * Starts to gather an equal number of bytes of each rank, in rank order, on every rank; at most
   * 2^31 bytes in all.
   *
   * @param all the memory that receives the bytes of all ranks; this rank's own must already be in
   *     their place
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startAllGather(MemorySegment all) {
    int each = Math.toIntExact(all.byteSize() / size);
    long bytes = library.handle(Predefined.BYTE);
    MemorySegment inPlace = library.pointer(Constant.IN_PLACE);
    HeapStaging.Staged everything = library.buffers().filled(all);
    return MpiRequest.start(
        library,
        Call.IALLGATHER,
        everything,
        MpiRequest.Return.ALL,
        inPlace,
        value(0),
        value(bytes),
        everything.memory(),
        value(each),
        value(bytes),
        value(comm));
  }

  /**
   * Starts a reduction over all ranks, in place, of at most 2^30 elements.
   *
   * @param values this rank's values, replaced by the result
   * @param count the number of elements
   * @param type the datatype of an element
   * @param operation how elements are combined
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startAllReduce(
      MemorySegment values, long count, MpiDatatype type, MpiOperation operation) {
    type.requireRoom(values, count);
    long op = library.handle(operation.handle());
    long t = type.handle();
    MemorySegment inPlace = library.pointer(Constant.IN_PLACE);
    int n = Math.toIntExact(count);
    HeapStaging.Staged all = library.buffers().filled(values);
    return MpiRequest.start(
        library,
        Call.IALLREDUCE,
        all,
        MpiRequest.Return.ALL,
        inPlace,
        all.memory(),
        value(n),
        value(t),
        value(op),
        value(comm));
  }
}
