package org.hyperslab.format.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Copies runs of equal length at equal distances. Runs of 1, 2, 4 or 8 bytes have their own loops,
 * and so does every second one of 4 or 8 bytes, because the compiler does much better with constant
 * strides; longer runs are copied as blocks.
 *
 * <p>Thread rule: no state; any thread.
 */
public final class StridedCopy {

  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /** The longest runs in bytes that, if whole longs, are copied long by long. */
  private static final int SHORT_RUN_BYTES = 128;

  private static final int BATCH = 1 << 14;

  /** The elements that are gathered at a time, in arrays that stay in the processor's cache. */
  private static final int BLOCK = 1 << 10;

  /** The fewest elements for which arrays are made. */
  private static final int FEWEST = 64;

  private static final boolean FIRST_IS_HIGH = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;

  private StridedCopy() {}

  /**
   * The positions at which runs begin.
   *
   * @param offset the first run's byte offset
   * @param stride bytes from the start of a run to the start of the next
   */
  public record Steps(long offset, long stride) {}

  /**
   * Copies runs of bytes from one segment to another. The source's range and the target's must not
   * overlap.
   *
   * @param source the segment to read
   * @param from where runs begin in the source
   * @param target the segment to write
   * @param to where runs begin in the target
   * @param runBytes the number of bytes in a run
   * @param repeats the number of runs
   * @throws IndexOutOfBoundsException if a run is not inside its segment
   */
  public static void copy(
      MemorySegment source,
      Steps from,
      MemorySegment target,
      Steps to,
      long runBytes,
      long repeats) {
    if (repeats == 1 || (from.stride() == runBytes && to.stride() == runBytes)) {
      MemorySegment.copy(source, from.offset(), target, to.offset(), runBytes * repeats);
      return;
    }
    long left = repeats;
    long s = from.offset();
    long t = to.offset();
    while (left > 0) {
      int n = (int) Math.min(left, BATCH);
      // A batch lets the loops use int indices, which the compiler optimizes best.
      batch(source, s, from.stride(), target, t, to.stride(), runBytes, n);
      s += n * from.stride();
      t += n * to.stride();
      left -= n;
    }
  }

  private static void batch(
      MemorySegment source,
      long s,
      long sStride,
      MemorySegment target,
      long t,
      long tStride,
      long runBytes,
      int n) {
    if (runBytes == 8 && sStride == 16 && tStride == 8 && n >= FEWEST) {
      everySecondLong(source, s, target, t, n);
    } else if (runBytes == 8) {
      longs(source, s, sStride, target, t, tStride, n);
    } else if (runBytes == 4 && sStride == 8 && tStride == 4 && n >= FEWEST) {
      everySecondInt(source, s, target, t, n);
    } else if (runBytes == 4) {
      ints(source, s, sStride, target, t, tStride, n);
    } else if (runBytes == 2) {
      shorts(source, s, sStride, target, t, tStride, n);
    } else if (runBytes == 1) {
      bytes(source, s, sStride, target, t, tStride, n);
    } else if (runBytes <= SHORT_RUN_BYTES && (runBytes & 7) == 0) {
      for (int i = 0; i < n; i++) {
        longs(source, s + i * sStride, 8, target, t + i * tStride, 8, (int) (runBytes >> 3));
      }
    } else {
      for (int i = 0; i < n; i++) {
        MemorySegment.copy(source, s + i * sStride, target, t + i * tStride, runBytes);
      }
    }
  }

  // Every second element passes through arrays, whose loops are fast long before the compiler is
  // done with them; loops over segments are slow until then, and take it many times as long.

  private static void everySecondLong(
      MemorySegment source, long s, MemorySegment target, long t, int n) {
    int room = Math.min(n, BLOCK);
    long[] all = new long[2 * room];
    long[] every = new long[room];
    for (int done = 0; done < n; done += room) {
      int count = Math.min(n - done, room);
      MemorySegment.copy(source, LONG, s + done * 16L, all, 0, 2 * count - 1);
      gather(all, every, count);
      MemorySegment.copy(every, 0, target, LONG, t + done * 8L, count);
    }
  }

  private static void gather(long[] all, long[] every, int count) {
    for (int i = 0; i < count; i++) {
      every[i] = all[2 * i];
    }
  }

  private static void everySecondInt(
      MemorySegment source, long s, MemorySegment target, long t, int n) {
    int pairs = n - 1; // Nothing may follow the last element.
    int room = Math.min(pairs, BLOCK);
    long[] all = new long[room];
    int[] every = new int[room];
    for (int done = 0; done < pairs; done += room) {
      int count = Math.min(pairs - done, room);
      MemorySegment.copy(source, LONG, s + done * 8L, all, 0, count);
      if (FIRST_IS_HIGH) {
        highHalves(all, every, count);
      } else {
        lowHalves(all, every, count);
      }
      MemorySegment.copy(every, 0, target, INT, t + done * 4L, count);
    }
    target.set(INT, t + pairs * 4L, source.get(INT, s + pairs * 8L));
  }

  private static void lowHalves(long[] pairs, int[] halves, int count) {
    for (int i = 0; i < count; i++) {
      halves[i] = (int) pairs[i];
    }
  }

  private static void highHalves(long[] pairs, int[] halves, int count) {
    for (int i = 0; i < count; i++) {
      halves[i] = (int) (pairs[i] >>> 32);
    }
  }

  // Four loops that differ only in their layout, which must be a constant to be compiled well.

  private static void longs(
      MemorySegment source,
      long s,
      long sStride,
      MemorySegment target,
      long t,
      long tStride,
      int n) {
    for (int i = 0; i < n; i++) {
      target.set(LONG, t + i * tStride, source.get(LONG, s + i * sStride));
    }
  }

  private static void ints(
      MemorySegment source,
      long s,
      long sStride,
      MemorySegment target,
      long t,
      long tStride,
      int n) {
    for (int i = 0; i < n; i++) {
      target.set(INT, t + i * tStride, source.get(INT, s + i * sStride));
    }
  }

  private static void shorts(
      MemorySegment source,
      long s,
      long sStride,
      MemorySegment target,
      long t,
      long tStride,
      int n) {
    for (int i = 0; i < n; i++) {
      target.set(SHORT, t + i * tStride, source.get(SHORT, s + i * sStride));
    }
  }

  private static void bytes(
      MemorySegment source,
      long s,
      long sStride,
      MemorySegment target,
      long t,
      long tStride,
      int n) {
    for (int i = 0; i < n; i++) {
      target.set(
          ValueLayout.JAVA_BYTE,
          t + i * tStride,
          source.get(ValueLayout.JAVA_BYTE, s + i * sStride));
    }
  }
}
