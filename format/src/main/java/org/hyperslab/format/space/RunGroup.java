package org.hyperslab.format.space;

/**
 * A group of equal runs at equal distances; empty if {@code repeats} is 0. Offsets and lengths
 * count elements.
 *
 * <p>Mutable, so that moving a cursor allocates nothing. Thread rule: confined to one thread.
 */
final class RunGroup {

  /** The offset of the first run. */
  long offset;

  /** The number of elements in each run. */
  long length;

  /** The distance in elements from the start of one run to that of the next. */
  long stride;

  /** The number of runs. */
  long repeats;

  boolean isEmpty() {
    return repeats == 0;
  }

  void clear() {
    repeats = 0;
  }

  void set(long newOffset, long newLength, long newStride, long newRepeats) {
    offset = newOffset;
    length = newLength;
    stride = newStride;
    repeats = newRepeats;
  }

  void copy(RunGroup other) {
    set(other.offset, other.length, other.stride, other.repeats);
  }

  /** Moves the content of another group to this one; the other is empty afterwards. */
  void move(RunGroup other) {
    copy(other);
    other.repeats = 0;
  }

  /** Removes the first runs. */
  void drop(long runs) {
    offset += runs * stride;
    repeats -= runs;
  }

  /** Checks whether another group begins where the last run of this one ends. */
  boolean touches(RunGroup next) {
    return next.offset == offset + (repeats - 1) * stride + length;
  }
}
