package org.hyperslab.mpiio.driver;

import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.PutWindow;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.store.FileRangeLock;

/**
 * The resources of a schedule.
 *
 * @param comm the communicator
 * @param tag the tag of the schedule's messages, which no concurrent schedule uses
 * @param store the file
 * @param memory the rank's own memory
 * @param peers the other ranks' memory that is reached directly
 * @param pool the pool of buffers
 * @param locks the locks on ranges of the file
 */
public record StepContext(
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
   * @param sieving the lock for read-modify-writes
   * @param atomic the lock for accesses in atomic mode; null if there is none
   */
  public record Locks(FileRangeLock sieving, FileRangeLock atomic) {

    FileRangeLock of(Step.Guard guard) {
      return switch (guard) {
        case SIEVING -> sieving;
        case ATOMIC -> atomic;
      };
    }

    /** Releases held ranges, and frees the locks. */
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
   * The memory of other ranks that is reached directly. The planner of a transfer fills it in.
   *
   * @param memory the memory of ranks of this process, by rank; null for others
   * @param gates the gates of that memory, by rank; null for others and for the rank itself
   * @param neighbours the memory of ranks of other processes on this machine, by rank; null for
   *     others
   * @param access accesses the memory of neighbours; null if there are none
   * @param window the window into which ranks put bytes; null if there is none
   */
  public record Peers(
      MemoryExtents[] memory,
      MemoryGate[] gates,
      CrossMemoryAttach.Neighbour[] neighbours,
      CrossMemoryAttach access,
      PutWindow window) {

    /**
     * {@return peers, none of which is reached directly yet}
     *
     * @param ranks the number of ranks
     * @param access accesses the memory of neighbours; null if there are none
     */
    public static Peers none(int ranks, CrossMemoryAttach access) {
      return new Peers(
          new MemoryExtents[ranks],
          new MemoryGate[ranks],
          new CrossMemoryAttach.Neighbour[ranks],
          access,
          null);
    }

    /**
     * {@return peers that are reached by puts alone}
     *
     * @param ranks the number of ranks
     * @param window the window
     */
    public static Peers by(int ranks, PutWindow window) {
      return new Peers(
          new MemoryExtents[ranks],
          new MemoryGate[ranks],
          new CrossMemoryAttach.Neighbour[ranks],
          null,
          window);
    }
  }

  /**
   * Runs a schedule and its continuations, and waits if a step waits.
   *
   * @param first the schedule
   * @return the findings, which hold a failure on the file or memory
   * @throws org.hyperslab.error.MpiException if communication failed
   */
  public Schedule.Findings run(Schedule first) {
    return BlockingDriver.run(this, first);
  }
}
