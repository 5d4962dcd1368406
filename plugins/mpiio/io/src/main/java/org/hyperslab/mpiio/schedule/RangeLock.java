package org.hyperslab.mpiio.schedule;

/**
 * A lock on ranges of a file, among all ranks that have it open: what keeps one rank's
 * read-modify-write apart from another's writes.
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

  /** Gives back what the calling rank holds. */
  void unlock();

  /** Frees it. */
  @Override
  void close();
}
