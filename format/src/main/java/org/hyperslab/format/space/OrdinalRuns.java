package org.hyperslab.format.space;

/**
 * Runs of elements with their positions in the order of transfer, in groups of equal runs: run
 * {@code k} of a group holds {@link #length()} elements at offset {@code offset() + k*stride()}, of
 * which the first is number {@code ordinal() + k*ordinalStride()} in the order of transfer.
 *
 * <p>Thread rule: confined to one thread. Moving allocates nothing.
 */
abstract sealed class OrdinalRuns permits RunCursor, ChunkRuns {

  OrdinalRuns() {}

  /**
   * Moves to the next group; false at the end.
   *
   * @return whether there is a next group
   */
  public abstract boolean nextGroup();

  /** {@return the element offset of the first run of the group} */
  public abstract long offset();

  /** {@return the elements of each run} */
  public abstract long length();

  /** {@return the elements from the start of one run to that of the next} */
  public abstract long stride();

  /** {@return the number of runs} */
  public abstract long repeats();

  /** {@return the position of the first element in the order of transfer} */
  public abstract long ordinal();

  /**
   * {@return the positions, in the order of transfer, from the start of one run to that of the
   * next}
   */
  public abstract long ordinalStride();
}
