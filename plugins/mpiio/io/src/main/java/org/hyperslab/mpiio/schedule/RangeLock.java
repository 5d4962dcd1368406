package org.hyperslab.mpiio.schedule;

/**
 * Locks ranges of a file among all ranks that have it open, so that one rank's read-modify-write
 * does not undo another's writes.
 *
 * <p>Thread rule: safe; a rank holds at most one range.
 */
public interface RangeLock extends AutoCloseable {

  /**
   * Waits for bytes {@code from .. toExclusive} and holds them until {@link #unlock}.
   *
   * @param from the first byte
   * @param toExclusive the byte after the last
   */
  void lock(long from, long toExclusive);

  /** Releases the range that the calling rank holds. */
  void unlock();

  /** Frees it. */
  @Override
  void close();
}
