package org.hyperslab.plugins.nativevol.transfer;

import java.util.ArrayDeque;
import org.hyperslab.format.memory.BufferPool;

/**
 * Arrays of decoded chunks that are handed out and taken back, because memory that was never
 * touched is many times slower than memory that was. Filters work on arrays, hence not {@link
 * BufferPool}.
 *
 * <p>Thread rule: any thread.
 */
final class ArrayPool {

  private final long keptBytesLimit;
  private final ArrayDeque<byte[]> kept = new ArrayDeque<>();
  private long keptBytes;

  /**
   * Creates a pool that bounds the bytes it keeps while they are unused.
   *
   * @param keptBytesLimit the most bytes that are kept while unused
   */
  public ArrayPool(long keptBytesLimit) {
    this.keptBytesLimit = keptBytesLimit;
  }

  /**
   * {@return an array of this length, of unspecified content}
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
   * Takes back an array that is no longer used, and drops those unused longest beyond the bound.
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
