package org.hyperslab.plugins.nativevol.transfer;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that the chunk caches of one file share.
 *
 * <p>Thread rule: any thread.
 */
public final class CacheBudget {

  private final long boundBytes;
  private final AtomicLong used = new AtomicLong();

  /**
   * Creates a budget that all caches of the file share.
   *
   * @param boundBytes the most bytes that cached chunks may take
   */
  public CacheBudget(long boundBytes) {
    this.boundBytes = boundBytes;
  }

  /** Counts bytes that a cache takes, or gives back if negative. */
  void take(long bytes) {
    used.addAndGet(bytes);
  }

  /**
   * Returns the bytes that a cache may hold that holds {@code own} bytes now, if other caches keep
   * theirs.
   */
  long allowance(long own) {
    return boundBytes - used.get() + own;
  }
}
