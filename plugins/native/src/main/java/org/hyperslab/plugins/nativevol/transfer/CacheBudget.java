package org.hyperslab.plugins.nativevol.transfer;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory that the chunk caches of one file share.
 *
 * <p>Thread rule: any thread.
 */
public final class CacheBudget {

  private final long boundBytes;
  private final AtomicLong used = new AtomicLong();

  /**
   * Creates a budget that all caches of the file share.
   *
   * @param boundBytes the greatest number of bytes that cached chunks may take
   */
  public CacheBudget(long boundBytes) {
    this.boundBytes = boundBytes;
  }

  /** Adds bytes to those that caches hold; a negative number subtracts. */
  void take(long bytes) {
    used.addAndGet(bytes);
  }

  /**
   * Returns the number of bytes that a cache may hold if the other caches keep theirs.
   *
   * @param own the number of bytes that it holds now
   */
  long allowance(long own) {
    return boundBytes - used.get() + own;
  }
}
