package org.hyperslab.mpiio.collective;

import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.Communicator;

/**
 * The resources of a schedule.
 *
 * @param comm the communicator
 * @param tag that of the schedule's messages; no other schedule that runs at the same time has it
 * @param store the file
 * @param memory the rank's own memory
 * @param peers how the other ranks' memory is reached
 * @param pool where buffers come from
 * @param locks on ranges of the file
 */
record StepContext(
    Communicator comm,
    int tag,
    ByteStore store,
    MemoryExtents memory,
    Peers peers,
    BufferPool pool,
    Locks locks) {

  /** The tag of the schedule that a rank waits for. */
  public static final int BLOCKING_TAG = 77;

  /**
   * The locks of a schedule, each of which holds at most one range.
   *
   * @param sieving for read-modify-writes
   * @param atomic for accesses in atomic mode; null where there are none
   */
  public record Locks(FileRangeLock sieving, FileRangeLock atomic) {

    FileRangeLock of(Step.Guard guard) {
      return switch (guard) {
        case SIEVING -> sieving;
        case ATOMIC -> atomic;
      };
    }

    /** Releases what is held, and frees the locks. */
    public void close() {
      sieving.close();
      if (atomic != null) {
        atomic.close();
      }
    }

    void unlock() {
      sieving.unlock();
      if (atomic != null) {
        atomic.unlock();
      }
    }
  }

  /**
   * The memory of other ranks, as far as it is reached directly. The planner of a transfer fills it
   * in.
   *
   * @param memory of ranks of this process, by rank; null for others
   * @param gates of that memory, by rank; null for others and for the rank itself
   * @param neighbours ranks of other processes on this machine, by rank; null for others
   * @param access how neighbours are reached; null if none are
   */
  public record Peers(
      MemoryExtents[] memory,
      MemoryGate[] gates,
      NeighbourMemory.Neighbour[] neighbours,
      NeighbourMemory access) {

    /**
     * {@return peers of which none is reached directly yet}
     *
     * @param ranks how many ranks there are
     * @param access how neighbours are reached; null if none are
     */
    public static Peers none(int ranks, NeighbourMemory access) {
      return new Peers(
          new MemoryExtents[ranks],
          new MemoryGate[ranks],
          new NeighbourMemory.Neighbour[ranks],
          access);
    }
  }

  /**
   * Carries out a schedule and all that continue it, and waits where a step waits.
   *
   * @param first the schedule
   * @return what was found out; a failure on the file or memory is kept there
   * @throws org.hyperslab.error.MpiException if communication failed
   */
  public Schedule.Findings run(Schedule first) {
    return BlockingDriver.run(this, first);
  }
}
