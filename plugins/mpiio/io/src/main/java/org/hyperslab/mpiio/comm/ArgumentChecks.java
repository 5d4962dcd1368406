package org.hyperslab.mpiio.comm;

import java.util.List;
import org.hyperslab.error.InvalidUseException;

/** Checks the arguments of communication calls, for every world. */
final class ArgumentChecks {

  /** The greatest tag of a user's message. */
  static final int MAX_TAG = 32766;

  /** The tag of messages of collective calls: the greatest that MPI guarantees. */
  static final int COLLECTIVE_TAG = 32767;

  private ArgumentChecks() {}

  static void peer(String what, int rank, int size) {
    if (rank < 0 || rank >= size) {
      throw new InvalidUseException(what + ": actual=rank " + rank + ", expected=0.." + (size - 1));
    }
  }

  static void tag(int tag) {
    if (tag < 0 || tag > MAX_TAG) {
      throw new InvalidUseException("tag: actual=" + tag + ", expected=0.." + MAX_TAG);
    }
  }

  static void length(String what, long actual, long expected) {
    if (actual != expected) {
      throw new InvalidUseException(
          "length of " + what + ": actual=" + actual + ", expected=" + expected);
    }
  }

  /** Checks that a grid has a place for each rank. */
  static void grid(List<Integer> dimensions, int size) {
    long places = dimensions.isEmpty() ? 0 : 1;
    for (int length : dimensions) {
      places = length < 1 || places > size ? 0 : places * length;
    }
    if (places != size) {
      throw new InvalidUseException(
          "grid: actual=" + dimensions + ", expected=lengths whose product is " + size + " ranks");
    }
  }

  /** Checks that there is one part for each rank, each inside the segment. */
  static void parts(String what, long bytes, long[] counts, long[] offsets, int size) {
    length("counts of " + what, counts.length, size);
    length("offsets of " + what, offsets.length, size);
    for (int i = 0; i < size; i++) {
      boolean inside =
          counts[i] >= 0
              && offsets[i] >= 0
              && offsets[i] <= bytes
              && counts[i] <= bytes - offsets[i];
      if (!inside && counts[i] != 0) {
        throw new InvalidUseException(
            "part of "
                + what
                + " for rank "
                + i
                + ": actual="
                + counts[i]
                + " bytes at "
                + offsets[i]
                + ", expected=inside "
                + bytes);
      }
    }
  }
}
