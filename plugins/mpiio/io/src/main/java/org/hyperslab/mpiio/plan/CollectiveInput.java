package org.hyperslab.mpiio.plan;

import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.store.FileSystemTraits;

/**
 * The input of an algorithm: the accesses of all ranks as far as this rank knows them, and the
 * circumstances. Equal on all ranks except for {@code rank}, {@code memoryContiguous} and the
 * lists.
 *
 * @param rank the rank whose schedule is computed
 * @param write whether the file is written
 * @param summaries the summary of every rank
 * @param lists the extents of every rank: all for this rank, and for the others as far as the
 *     algorithm needs them; null if the rank's summary has them
 * @param setting hints, file system, aggregators
 * @param memoryContiguous whether this rank's memory is one piece
 */
public record CollectiveInput(
    int rank,
    boolean write,
    AccessSummary[] summaries,
    ExtentRuns[] lists,
    Setting setting,
    boolean memoryContiguous) {

  /**
   * The circumstances, the same on every rank.
   *
   * @param hints the hints in use
   * @param fs the file system
   * @param aggregators the ranks that access the file: the i-th has the i-th part of it
   * @param sharedMemory whether every rank reaches every other's memory
   * @param overlapped whether other accesses to the file may be in progress
   */
  public record Setting(
      Hints hints,
      FileSystemTraits fs,
      int[] aggregators,
      boolean sharedMemory,
      boolean overlapped) {

    /**
     * Creates circumstances in which no other access to the file is in progress.
     *
     * @param hints the hints
     * @param fs the file system
     * @param aggregators the aggregators
     * @param sharedMemory whether ranks of one address space reach each other's memory
     */
    public Setting(Hints hints, FileSystemTraits fs, int[] aggregators, boolean sharedMemory) {
      this(hints, fs, aggregators, sharedMemory, false);
    }

    /**
     * {@return the same circumstances with other aggregators}
     *
     * @param others keys that this library does not know, sorted
     * @param shared the shared
     */
    public Setting with(int[] others, boolean shared) {
      return new Setting(hints, fs, others, shared, overlapped);
    }
  }

  /** {@return the number of ranks} */
  public int size() {
    return summaries.length;
  }

  /** {@return the extents of this rank} */
  public ExtentRuns mine() {
    return lists[rank];
  }

  /** Returns the extents of a rank. */
  ExtentRuns list(int other) {
    if (lists[other] == null) {
      lists[other] = summaries[other].list();
    }
    return lists[other];
  }

  /** {@return the index of this rank among the aggregators; -1 if it is not an aggregator} */
  public int aggregatorIndex() {
    int[] all = setting.aggregators();
    for (int i = 0; i < all.length; i++) {
      if (all[i] == rank) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the same problem from the point of view of another rank. */
  CollectiveInput of(int other) {
    return new CollectiveInput(other, write, summaries, lists, setting, memoryContiguous);
  }

  /**
   * {@return the same problem with other aggregators}
   *
   * @param aggregators the aggregators
   */
  public CollectiveInput with(int[] aggregators) {
    Setting changed = setting.with(aggregators, setting.sharedMemory());
    return new CollectiveInput(rank, write, summaries, lists, changed, memoryContiguous);
  }

  /** {@return the first byte that any rank accesses; 0 if none does} */
  public long first() {
    long first = Long.MAX_VALUE;
    for (AccessSummary summary : summaries) {
      first = summary.isEmpty() ? first : Math.min(first, summary.first());
    }
    return first == Long.MAX_VALUE ? 0 : first;
  }

  /** {@return the byte after the last that any rank accesses} */
  public long endExclusive() {
    long end = 0;
    for (AccessSummary summary : summaries) {
      end = Math.max(end, summary.endExclusive());
    }
    return end;
  }
}
