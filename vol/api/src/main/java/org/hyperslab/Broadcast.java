package org.hyperslab;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.util.Arrays;
import org.hyperslab.format.space.Dataspace;

/**
 * Repeats a value to fill a shape, as NumPy and h5py do: dimensions are compared from the last to
 * the first, and those of length 1 or absent are repeated.
 *
 * <p>Thread rule: no state.
 */
final class Broadcast {

  private Broadcast() {}

  /** Returns whether a source is one whose elements may be repeated: a Java value, not memory. */
  static boolean isRepeatable(Object source) {
    return !(source instanceof Memory
        || source instanceof MemorySegment
        || source instanceof Buffer);
  }

  /** Returns the elements repeated to fill a shape; unchanged if that is not possible or needed. */
  static Memory to(long[] target, Memory memory) {
    long count = Dataspace.product(target);
    long[] given = memory.space().dims();
    boolean needed = memory.space().elementCount() != count || count == 0;
    if (!needed || !fits(given, target)) {
      return memory;
    }
    long[] aligned = new long[target.length];
    Arrays.fill(aligned, 1);
    for (int i = 1; i <= Math.min(given.length, target.length); i++) {
      aligned[target.length - i] = given[given.length - i];
    }
    Memory all = Memory.room(memory.type(), Dataspace.simple(target));
    if (count > 0) {
      int size = memory.type().memorySize();
      fill(memory.data().elements(), aligned, all.data().elements(), target, size);
    }
    return all.heap(memory.data().heap());
  }

  private static boolean fits(long[] given, long[] target) {
    for (int i = 1; i <= given.length; i++) {
      long length = given[given.length - i];
      boolean same = i <= target.length && length == target[target.length - i];
      if (length != 1 && !same) {
        return false;
      }
    }
    return true;
  }

  /** Fills the first row, and all that is below it, then copies it over the others. */
  private static void fill(
      MemorySegment from, long[] given, MemorySegment to, long[] target, int size) {
    if (target.length == 0) {
      to.asSlice(0, size).copyFrom(from.asSlice(0, size));
      return;
    }
    long[] givenBelow = Arrays.copyOfRange(given, 1, given.length);
    long[] below = Arrays.copyOfRange(target, 1, target.length);
    long fromBytes = bytes(givenBelow, size);
    long toBytes = bytes(below, size);
    for (long i = 0; i < given[0]; i++) {
      fill(
          from.asSlice(i * fromBytes, fromBytes),
          givenBelow,
          to.asSlice(i * toBytes, toBytes),
          below,
          size);
    }
    for (long filled = given[0]; filled < target[0]; ) {
      long more = Math.min(filled, target[0] - filled);
      MemorySegment.copy(to, 0, to, filled * toBytes, more * toBytes);
      filled += more;
    }
  }

  private static long bytes(long[] dims, int size) {
    return Math.multiplyExact(Dataspace.product(dims), (long) size);
  }
}
