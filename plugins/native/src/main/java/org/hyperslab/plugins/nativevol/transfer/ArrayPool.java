package org.hyperslab.plugins.nativevol.transfer;

import java.util.ArrayDeque;
import org.hyperslab.format.memory.BufferPool;

/**
 * Pools arrays for decoded chunks, because the first access to fresh memory makes the system supply
 * and clear its pages. Filters work on arrays, so {@link BufferPool} does not serve.
 *
 * <p>Thread rule: any thread.
 */
final class ArrayPool {

  private final long keptBytesLimit;
  private final ArrayDeque<byte[]> kept = new ArrayDeque<>();
  private long keptBytes;

  /**
   * Creates a pool with a bound on the bytes of unused arrays.
   *
   * @param keptBytesLimit the greatest number of bytes of unused arrays that are kept
   */
  public ArrayPool(long keptBytesLimit) {
    this.keptBytesLimit = keptBytesLimit;
  }

  /**
   * {@return an array of this length, with unspecified content}
   *
   * @param bytes the number of bytes
   */
  public byte[] take(int bytes) {
    byte[] array = fromKept(bytes);
    return array != null ? array : new byte[bytes];
  }

  private synchronized byte[] fromKept(int bytes) {
    for (var each = kept.descendingIterator(); each.hasNext(); ) {
      byte[] array = each.next();
      if (array.length == bytes) {
        each.remove();
        keptBytes -= bytes;
        return array;
      }
    }
    return null;
  }

  /**
   * Returns an array to the pool, and drops the arrays unused longest beyond the bound.
   *
   * @param array the array
   */
  public synchronized void give(byte[] array) {
    kept.addLast(array);
    keptBytes += array.length;
    while (keptBytes > keptBytesLimit) {
      keptBytes -= kept.removeFirst().length;
    }
  }
}
