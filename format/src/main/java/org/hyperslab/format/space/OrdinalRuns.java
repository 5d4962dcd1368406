package org.hyperslab.format.space;

/**
 * Iterates over runs of elements with their positions in the order of transfer, in groups of equal
 * runs. Run {@code k} of a group has {@link #length()} elements at offset {@code offset() +
 * k*stride()}; the first of them has position {@code ordinal() + k*ordinalStride()} in the order of
 * transfer.
 *
 * <p>Thread rule: confined to one thread. Moving allocates nothing.
 */
abstract sealed class OrdinalRuns permits RunCursor, ChunkRuns {

  OrdinalRuns() {}

  /**
   * Moves to the next group; returns false at the end.
   *
   * @return whether there is a next group
   */
  public abstract boolean nextGroup();

  /** {@return the element offset of the first run of the group} */
  public abstract long offset();

  /** {@return the number of elements in each run} */
  public abstract long length();

  /** {@return the distance in elements from the start of one run to that of the next} */
  public abstract long stride();

  /** {@return the number of runs} */
  public abstract long repeats();

  /** {@return the position of the first element in the order of transfer} */
  public abstract long ordinal();

  /**
   * {@return the distance, in the order of transfer, from the start of one run to that of the next}
   */
  public abstract long ordinalStride();
}
