package org.hyperslab.mpiio.declared;

import java.lang.foreign.MemorySegment;
import java.util.Collection;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.mpiio.declared.AggregationPlan.Part;

/**
 * Brings parts of declared writes to their aggregators, and collects those of which this rank is
 * the aggregator. No method waits; {@link #advance} makes progress.
 *
 * <p>Thread rule: confined to one thread.
 */
interface PartTransport extends AutoCloseable {

  /** A part on its way. */
  interface Sending {

    /** Goes on without waiting; returns whether the part's memory may be changed again. */
    boolean test();

    /** Returns the ranks that it waits for. */
    Collection<Integer> awaitedRanks();

    /** Gives up the part, which is not to be tested any more. */
    default void giveUp() {}
  }

  /**
   * Starts to bring a part to its aggregator. Parts of a rank are started in the order of its
   * writes, each after the last has ended.
   *
   * @param data the bytes; null if the part is abandoned, as are all later ones
   */
  Sending start(Part part, MemorySegment data);

  /** Says that all parts of this rank's next write have been made. */
  default void writeMade() {}

  /** Collects without waiting; returns whether there was progress. */
  boolean advance();

  /** Returns whether this rank is writing to the file. */
  boolean isWriting();

  /** Returns whether this rank has written all rounds that it collects. */
  boolean isDone();

  /** Returns the ranks whose parts are missing, ascending. */
  Collection<Integer> awaitedRanks();

  /** Returns the first failure of writing; null if there is none. */
  HyperslabException failure();

  /** Returns the number of bytes of buffers in use. */
  long leasedBytes();

  /** Returns the greatest number of bytes of buffers that were in use. */
  long peakBytes();

  /** Returns how parts travel, for display. */
  String describe();

  /**
   * Frees the buffers.
   *
   * @param together whether all ranks have reported that they have made all their parts
   */
  void close(boolean together);

  /** Frees the buffers, unless parts may still come. */
  @Override
  default void close() {
    close(false);
  }
}
