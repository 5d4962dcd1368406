package org.hyperslab.mpiio.comm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A window of ranks that reach each other's memory by loads and stores: threads of a process, or
 * processes that have mapped the same memory. A put is a copy.
 *
 * <p>The memory of a target begins with its numbers: the count of epochs for which it is exposed,
 * then for each rank the count of epochs that it has completed. Counts, not the last epoch, so that
 * fresh memory needs no values but zeros.
 *
 * <pre>
 * 0        8                 8 + 8 * ranks
 * | exposed | completed[rank] … | bytes
 * </pre>
 */
final class DirectWindow implements PutWindow {

  private static final VarHandle COUNT = ValueLayout.JAVA_LONG.varHandle();

  private final int rank;
  private final MemorySegment[] targets;
  private final Runnable freeing;
  private final String text;
  private boolean closed;

  /**
   * Creates the window of a rank.
   *
   * @param rank the rank
   * @param targets the memory of each rank, its numbers included; of length 0 if it has none
   * @param freeing ends the rank's use of the memory
   * @param text how bytes travel, for display
   */
  DirectWindow(int rank, MemorySegment[] targets, Runnable freeing, String text) {
    this.rank = rank;
    this.targets = targets;
    this.freeing = freeing;
    this.text = text;
  }

  /** Returns the length of the numbers before the bytes of a target, for a number of ranks. */
  static long headBytes(int ranks) {
    return Long.BYTES * (1L + ranks);
  }

  private long headBytes() {
    return headBytes(targets.length);
  }

  @Override
  public MemorySegment own() {
    MemorySegment mine = targets[rank];
    return mine.byteSize() == 0 ? mine : mine.asSlice(headBytes());
  }

  @Override
  public void put(int target, long at, MemorySegment data) {
    MemorySegment.copy(data, 0, targets[target], headBytes() + at, data.byteSize());
  }

  @Override
  public void fence(int target, long epoch) {
    COUNT.setRelease(targets[target], Long.BYTES * (1L + rank), epoch + 1);
  }

  @Override
  public long fenced(int source) {
    return (long) COUNT.getAcquire(targets[rank], Long.BYTES * (1L + source)) - 1;
  }

  @Override
  public void expose(long epoch) {
    COUNT.setRelease(targets[rank], 0L, epoch + 1);
  }

  @Override
  public long exposed(int target) {
    return (long) COUNT.getAcquire(targets[target], 0L) - 1;
  }

  @Override
  public String describe() {
    return text;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      freeing.run();
    }
  }

  /** {@inheritDoc} Each rank has its own claim on the memory, or its own mapping of it. */
  @Override
  public void giveUp() {
    close();
  }
}
