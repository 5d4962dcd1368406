package org.hyperslab.model;

import org.hyperslab.error.InvalidUseException;

/**
 * Selects a part of an ordered listing.
 *
 * @param index the order
 * @param descending whether the order is reversed
 * @param position how many entries of that order to pass over, from 0
 * @param limit how many entries to return at most, from 1
 */
public record PageRequest(IterationIndex index, boolean descending, long position, int limit) {

  /** The default number of entries of one page. */
  public static final int DEFAULT_LIMIT = 1024;

  /** Checks position and limit. */
  public PageRequest {
    if (position < 0 || limit < 1) {
      throw new InvalidUseException(
          "page request: actual=position "
              + position
              + ", limit "
              + limit
              + ", expected=position at least 0, limit at least 1");
    }
  }

  /**
   * {@return the first page in ascending order}
   *
   * @param index the order of the listing
   */
  public static PageRequest first(IterationIndex index) {
    return new PageRequest(index, false, 0, DEFAULT_LIMIT);
  }

  /** {@return the page after this one, of the same size} */
  public PageRequest next() {
    return new PageRequest(index, descending, Math.addExact(position, limit), limit);
  }
}
