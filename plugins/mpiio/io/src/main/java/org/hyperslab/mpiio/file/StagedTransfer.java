package org.hyperslab.mpiio.file;

import org.hyperslab.mpiio.collective.StartedTransfer;

/**
 * A transfer under way, and the memory that it has been prepared in.
 *
 * @param staged null if the rank takes part without an access
 * @param started what moves the bytes
 */
record StagedTransfer(StagedAccess staged, StartedTransfer started) {

  /** Goes on without waiting; whether it has ended. */
  boolean advance(boolean here) {
    return started.advance(here);
  }

  long moves() {
    return started.moves();
  }

  /** What was moved, or what failed; called once, at the end. */
  AccessStatus status() {
    try (staged) {
      started.outcome();
      return staged == null ? new AccessStatus(0) : staged.finish();
    }
  }
}
