package org.hyperslab.plugins.mpiio.filtered;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.mpiio.comm.Communicator;

/**
 * Exchanges bytes between all ranks, with an individual count for each pair.
 *
 * <p>Thread rule: confined to one thread; {@link #counts} and {@link #exchange} are collective.
 */
final class PartExchange {

  private final Communicator comm;
  private final BufferPool buffers;

  PartExchange(Communicator comm, BufferPool buffers) {
    this.comm = comm;
    this.buffers = buffers;
  }

  /**
   * The received bytes, concatenated in order of ranks.
   *
   * @param buffer the bytes
   * @param offsets the offset of each rank's bytes, and the end
   */
  record Received(Lease buffer, long[] offsets) implements AutoCloseable {
    MemorySegment bytes() {
      return buffer.segment();
    }

    @Override
    public void close() {
      buffer.close();
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  /** Writes the bytes to send to each rank. */
  @FunctionalInterface
  interface Packer {
    /**
     * Writes the bytes.
     *
     * @param message receives the bytes
     * @param at the offset of each rank's bytes; may be changed
     */
    void pack(MemorySegment message, long[] at);
  }

  /** Returns the start of each count, and the end. */
  static long[] offsets(long[] counts) {
    long[] offsets = new long[counts.length + 1];
    for (int i = 0; i < counts.length; i++) {
      offsets[i + 1] = Math.addExact(offsets[i], counts[i]);
    }
    return offsets;
  }

  /**
   * Exchanges byte counts: each rank gets the number of bytes that every other sends it;
   * collective.
   */
  long[] counts(long[] counts) {
    long[] theirs = new long[comm.size()];
    comm.allToAll(counts, theirs, 1);
    return theirs;
  }

  /**
   * Sends the bytes that a packer writes and returns the received bytes, to be closed; collective.
   */
  Received exchange(Packer packer, long[] counts, long[] theirs) {
    long[] offsets = offsets(counts);
    try (Lease sent = buffers.take(offsets[counts.length])) {
      packer.pack(sent.segment(), offsets);
      return exchange(sent.segment(), counts, theirs);
    }
  }

  /**
   * Sends bytes stored consecutively in rank order and returns the received bytes, to be closed;
   * collective.
   */
  Received exchange(MemorySegment sent, long[] counts, long[] theirs) {
    int ranks = comm.size();
    long[] offsets = offsets(counts);
    long[] theirOffsets = offsets(theirs);
    Lease received = buffers.take(theirOffsets[ranks]);
    try {
      comm.allToAllV(
          sent,
          counts,
          Arrays.copyOf(offsets, ranks),
          received.segment(),
          theirs,
          Arrays.copyOf(theirOffsets, ranks));
      return new Received(received, theirOffsets);
    } catch (RuntimeException | Error failure) {
      received.close();
      throw failure;
    }
  }
}
