package org.hyperslab.format.space;

/**
 * A group of equal runs at equal distances, with their positions in the order of transfer. Offsets,
 * lengths and positions count elements.
 *
 * <p>Mutable, so that moving a cursor allocates nothing. Thread rule: confined to one thread.
 */
final class OrdinalGroup {

  /** Gives one group after the other. */
  interface Source {
    /** Puts the next group into {@code into}; returns false at the end. */
    boolean load(OrdinalGroup into);
  }

  /** The offset of the first run. */
  long offset;

  /** The number of elements in each run. */
  long length;

  /** The distance in elements from the start of one run to that of the next. */
  long stride;

  /** The number of runs. */
  long repeats;

  /** The position of the first element in the order of transfer. */
  long ordinal;

  /** The distance, in the order of transfer, from the start of one run to that of the next. */
  long ordinalStride;

  /** Sets the first run of a group of one. */
  void set(long newOffset, long newLength, long newOrdinal) {
    offset = newOffset;
    length = newLength;
    ordinal = newOrdinal;
    stride = newLength;
    ordinalStride = newLength;
    repeats = 1;
  }

  /** Repeats the run that was set. */
  void repeat(long newRepeats, long newStride, long newOrdinalStride) {
    repeats = newRepeats;
    stride = newStride;
    ordinalStride = newOrdinalStride;
  }
}
