package org.hyperslab.plugins.libhdf5;

/**
 * Keeps the answers to questions after requests in the order in which these were made: once one of
 * a round was still under way, so are the others after it. libhdf5 (1.14.5, 2.2) loses events of a
 * set whose last one ends before an earlier one: H5ES__list_remove leaves the tail of its list
 * where that event was.
 *
 * <p>Which event set a request belongs to is not known here. A round ends where a number is asked
 * for that is not above the one before.
 *
 * <p>Thread rule: any thread.
 */
final class PollOrder {

  private long last;
  private boolean heldUp;

  /** Returns whether a request must be reported as under way, whatever its state is. */
  synchronized boolean holds(long number) {
    if (number <= last) {
      heldUp = false;
    }
    last = number;
    return heldUp;
  }

  /** Notes that the request asked for last is under way. */
  synchronized void hold() {
    heldUp = true;
  }
}
