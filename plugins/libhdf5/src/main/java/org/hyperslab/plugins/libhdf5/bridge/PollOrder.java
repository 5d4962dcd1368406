package org.hyperslab.plugins.libhdf5.bridge;

/**
 * Reports requests as completed in the order in which they were made: if one request of a round is
 * in progress, all later ones are reported as in progress. libhdf5 (1.14.5, 2.2) loses events of a
 * set whose last one ends before an earlier one: H5ES__list_remove leaves the tail of its list
 * where that event was.
 *
 * <p>The event set of a request is not known here. A round ends when a request is polled whose
 * number is not above the previous one.
 *
 * <p>Thread rule: any thread.
 */
public final class PollOrder {

  private long last;
  private boolean heldUp;

  /** Returns whether a request must be reported as in progress, whatever its state. */
  public synchronized boolean holds(long number) {
    if (number <= last) {
      heldUp = false;
    }
    last = number;
    return heldUp;
  }

  /** Records that the request polled last is in progress. */
  public synchronized void hold() {
    heldUp = true;
  }
}
