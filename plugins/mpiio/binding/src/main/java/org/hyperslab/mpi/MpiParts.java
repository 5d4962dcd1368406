package org.hyperslab.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.hyperslab.error.InvalidUseException;

/**
 * Memory that holds a part for each rank, which the rank sends or receives.
 *
 * @param memory the memory of all parts
 * @param counts the number of elements of each rank's part
 * @param displacements the start of each part, in extents of the datatype
 */
public record MpiParts(MemorySegment memory, long[] counts, long[] displacements) {

  /** Checks that there are as many counts as displacements. */
  public MpiParts {
    if (counts.length != displacements.length) {
      throw new InvalidUseException(
          "parts: actual="
              + displacements.length
              + " displacements, expected="
              + counts.length
              + ", the number of counts");
    }
  }

  /**
   * Returns whether all counts and displacements fit ints, as functions without large counts need.
   */
  boolean fitsInts() {
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] != (int) counts[i] || displacements[i] != (int) displacements[i]) {
        return false;
      }
    }
    return true;
  }

  /** Checks every part against the memory. */
  void requireRoom(MpiDatatype type, int ranks) {
    if (counts.length != ranks) {
      throw new InvalidUseException(
          "parts: actual=" + counts.length + ", expected=" + ranks + ", one for each rank");
    }
    long extent = type.extentBytes();
    for (int i = 0; i < ranks; i++) {
      if (counts[i] != 0) {
        long from = Math.multiplyExact(displacements[i], extent);
        if (counts[i] < 0 || from < 0 || from > memory.byteSize()) {
          throw new InvalidUseException(
              "part of rank "
                  + i
                  + ": actual="
                  + counts[i]
                  + " elements at byte "
                  + from
                  + ", expected=inside "
                  + memory.byteSize());
        }
        type.requireRoom(memory.asSlice(from), counts[i]);
      }
    }
  }

  /** Allocates an array of counts or displacements, as ints or longs. */
  static MemorySegment numbers(Arena arena, long[] values, boolean ints) {
    if (!ints) {
      return arena.allocateFrom(ValueLayout.JAVA_LONG, values);
    }
    MemorySegment all = arena.allocate((long) Integer.BYTES * values.length, Integer.BYTES);
    for (int i = 0; i < values.length; i++) {
      all.setAtIndex(ValueLayout.JAVA_INT, i, Math.toIntExact(values[i]));
    }
    return all;
  }
}
