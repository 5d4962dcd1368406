package org.hyperslab.mpiio.schedule;

import java.util.List;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.transfer.ListTransfer;

/**
 * One action of a rank. The steps of a rank run in order; sends, receives and exchanges between all
 * ranks are only started, and end with an {@link Await} of their slot. Lengths and offsets are
 * bytes.
 */
public sealed interface Step {

  /**
   * {@return this step for another place of the file}
   *
   * @param distance bytes towards the end of the file; below 0 towards the beginning
   */
  default Step moved(long distance) {
    return switch (this) {
      case Read(ExtentRuns file, ByteLocation to, boolean zeros) ->
          new Read(file.moved(distance), to, zeros);
      case SkippingRead(ExtentRuns file, ByteLocation to, long gapBytes) ->
          new SkippingRead(file.moved(distance), to, gapBytes);
      case Write(ExtentRuns file, ByteLocation from) -> new Write(file.moved(distance), from);
      case ListTransfer(ExtentRuns file, ByteLocation memory, boolean write) ->
          new ListTransfer(file.moved(distance), memory, write);
      case Lock(Guard guard, long from, long toExclusive) ->
          new Lock(guard, from + distance, toExclusive + distance);
      case Allocate _,
          Release _,
          Send _,
          Receive _,
          Await _,
          Copy _,
          Scatter _,
          Gather _,
          Unlock _,
          Put _,
          Fence _,
          Expose _,
          AwaitFences _,
          AwaitExposure _,
          Barrier _,
          GatherAll _,
          ExchangeAll _,
          ReduceAll _ ->
          this;
    };
  }

  /**
   * Allocates a buffer.
   *
   * @param buffer its number
   * @param bytes its length
   */
  record Allocate(int buffer, long bytes) implements Step {}

  /**
   * Releases a buffer.
   *
   * @param buffer its number
   */
  record Release(int buffer) implements Step {}

  /**
   * Starts to send bytes.
   *
   * @param destination the receiving rank
   * @param from the bytes, consecutive in their place
   * @param length the number of bytes
   * @param slot the number by which an {@link Await} names it
   */
  record Send(int destination, ByteLocation from, long length, int slot) implements Step {}

  /**
   * Starts to receive bytes.
   *
   * @param source the sending rank
   * @param to the place of the first byte
   * @param length the number of bytes
   * @param slot the number by which an {@link Await} names it
   */
  record Receive(int source, ByteLocation to, long length, int slot) implements Step {}

  /**
   * Waits for all operations that were started under a slot.
   *
   * @param slot the slot
   */
  record Await(int slot) implements Step {}

  /**
   * Copies consecutive bytes.
   *
   * @param from the source
   * @param to the destination
   * @param length the number of bytes
   */
  record Copy(ByteLocation from, ByteLocation to, long length) implements Step {}

  /**
   * Copies consecutive bytes to extents of a buffer.
   *
   * @param from the place of the first
   * @param buffer the buffer's number
   * @param to extents within the buffer
   */
  record Scatter(ByteLocation from, int buffer, ExtentRuns to) implements Step {}

  /**
   * Copies extents of a buffer to consecutive bytes.
   *
   * @param buffer the buffer's number
   * @param from extents within the buffer
   * @param to the place of the first
   */
  record Gather(int buffer, ExtentRuns from, ByteLocation to) implements Step {}

  /**
   * Reads extents of the file, a request each, into consecutive bytes.
   *
   * @param file the extents
   * @param to the place of the first byte
   * @param zerosPastEnd whether bytes past the end of the file are zeros rather than an error
   */
  record Read(ExtentRuns file, ByteLocation to, boolean zerosPastEnd) implements Step {}

  /**
   * Reads extents of the file into consecutive bytes; extents with small holes between them are
   * read by one request, which discards the holes.
   *
   * @param file the extents
   * @param to the place of the first byte
   * @param gapBytes the longest hole that is read over, at least 1
   */
  record SkippingRead(ExtentRuns file, ByteLocation to, long gapBytes) implements Step {}

  /**
   * Writes consecutive bytes to extents of the file, with one request for each extent.
   *
   * @param file the extents
   * @param from the place of the first byte
   */
  record Write(ExtentRuns file, ByteLocation from) implements Step {}

  /**
   * Reads or writes like {@link Read} or {@link Write}, with requests that list many extents each.
   *
   * @param file the extents
   * @param memory the place of the first byte
   * @param write whether the file is written
   */
  record ListTransfer(ExtentRuns file, ByteLocation memory, boolean write) implements Step {}

  /** The purpose of a lock. */
  enum Guard {
    /** A read-modify-write of one request. */
    SIEVING,
    /** A whole access in atomic mode. */
    ATOMIC
  }

  /**
   * Takes a lock on a range of the file.
   *
   * @param guard the purpose of the lock
   * @param from the first byte
   * @param toExclusive the byte after the last
   */
  record Lock(Guard guard, long from, long toExclusive) implements Step {

    /**
     * Creates a lock for a read-modify-write.
     *
     * @param from the first byte
     * @param toExclusive the byte after the last
     */
    public Lock(long from, long toExclusive) {
      this(Guard.SIEVING, from, toExclusive);
    }
  }

  /**
   * Releases the range locked last.
   *
   * @param guard the purpose of the lock
   */
  record Unlock(Guard guard) implements Step {

    /** Ends a read-modify-write. */
    public Unlock() {
      this(Guard.SIEVING);
    }
  }

  /**
   * Puts consecutive bytes into the window of a rank, which takes no part in that. They are there
   * when the owner has awaited this rank's next {@link Fence}.
   *
   * @param target the owner of the window, which may be this rank
   * @param from the place of the first byte
   * @param at the offset of the first byte in the window
   * @param length the number of bytes
   */
  record Put(int target, ByteLocation from, long at, long length) implements Step {}

  /**
   * Completes this rank's puts to a window, and states that it makes none in epochs up to a number.
   * Does not wait for other ranks.
   *
   * @param target the owner of the window, which may be this rank
   * @param epoch the last of the completed epochs
   */
  record Fence(int target, long epoch) implements Step {}

  /**
   * Lets other ranks put bytes into this rank's window in epochs up to a number.
   *
   * @param epoch the last of the epochs
   */
  record Expose(long epoch) implements Step {}

  /**
   * Waits until ranks have completed an epoch of this rank's window.
   *
   * @param epoch the epoch
   * @param sources the ranks
   */
  record AwaitFences(long epoch, List<Integer> sources) implements Step {}

  /**
   * Waits until a rank has exposed its window for an epoch.
   *
   * @param target the rank
   * @param epoch the epoch
   */
  record AwaitExposure(int target, long epoch) implements Step {}

  /** Waits until every rank has reached this step. */
  record Barrier() implements Step {}

  /**
   * Starts to gather numbers of all ranks on every rank. {@link Schedule.Findings#received} has
   * those of all ranks when the slot has been awaited. Every rank of the communicator takes part.
   *
   * @param mine the numbers of this rank, which must not be changed afterwards
   * @param equal whether every rank has an equal count of numbers
   * @param slot the number by which an {@link Await} names it
   */
  record GatherAll(long[] mine, boolean equal, int slot) implements Step {}

  /**
   * Starts to send individual numbers to each rank. {@link Schedule.Findings#received} has the
   * numbers that each rank sent to this one when the slot has been awaited. Every rank of the
   * communicator takes part.
   *
   * @param forRank the numbers for each rank, which must not be changed afterwards
   * @param slot the number by which an {@link Await} names it
   */
  record ExchangeAll(long[][] forRank, int slot) implements Step {}

  /**
   * Starts to reduce numbers over all ranks, element by element. {@link Schedule.Findings#received}
   * has the result as its only element when the slot has been awaited. Every rank of the
   * communicator takes part.
   *
   * @param values this rank's numbers, which must not be changed afterwards
   * @param reduction the operation that combines them
   * @param slot the number by which an {@link Await} names it
   */
  record ReduceAll(long[] values, Reduction reduction, int slot) implements Step {}
}
