package org.hyperslab.mpiio.vendor;

import java.util.concurrent.locks.LockSupport;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpi.MpiRequest;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.file.AccessStatus;
import org.hyperslab.mpiio.file.FileRequest;
import org.hyperslab.mpiio.hint.Hints;

/**
 * A collective access that the MPI library has started; {@link #test} is {@code MPI_Test}. It is
 * given up if a rank does not start it while this one waits or tests. The time in which nobody asks
 * does not count.
 *
 * <p>Thread rule: one thread at a time.
 */
final class VendorRequest implements FileRequest {

  /** The divisor of the deadline that gives the longest time between two tests that counts. */
  private static final int PART = 16;

  private static final int QUICK_TESTS = 8;
  private static final long MIN_NANOS = 20_000;
  private static final long MAX_NANOS = 250_000;

  private final MpiRequest request;
  private final StartNotices notices;
  private final VendorRendezvous contact;
  private MpiException givenUp;

  /** Whether nobody needs to be waited for, except by the library. */
  private boolean allCame;

  private int missing;

  /** The time of the last test in vain; 0 before the first. */
  private long testedAt;

  /** The time of tests and waits since a rank has come. */
  private long waitedNanos;

  /**
   * Watches a started access.
   *
   * @param notices the messages of other ranks; null if nothing limits how long they are waited for
   */
  VendorRequest(MpiRequest request, StartNotices notices, VendorRendezvous contact) {
    this.request = request;
    this.notices = notices;
    this.contact = contact;
    this.allCame = notices == null;
  }

  /** {@inheritDoc} An access that has been given up has ended. */
  @Override
  public boolean test() {
    contact.advance();
    if (givenUp != null || request.test()) {
      return true;
    }
    updateWait();
    return givenUp != null;
  }

  /** Returns whether the library has ended the access, though it may have been given up. */
  boolean isFree() {
    try {
      return request.test();
    } catch (MpiException failed) {
      return true;
    }
  }

  private void updateWait() {
    if (allCame) {
      return;
    }
    try {
      allCame = notices.allArrived();
    } catch (MpiException different) {
      abandon(different);
      return;
    }
    long now = System.nanoTime();
    int missingNow = notices.missing().size();
    if (missingNow != missing || testedAt == 0) {
      waitedNanos = 0;
    } else {
      waitedNanos += Math.min(now - testedAt, contact.deadlineNanos() / PART);
    }
    missing = missingNow;
    testedAt = now;
    if (!allCame && waitedNanos > contact.deadlineNanos()) {
      abandon(absent());
    }
  }

  private MpiException absent() {
    return new MpiException(
        "started access",
        MpiException.NO_RANK,
        MpiException.NO_CODE,
        "actual=nothing has moved for "
            + contact.deadlineNanos() / 1_000_000
            + " ms, waiting for "
            + SharedFailure.ranks(notices.missing())
            + ", expected=every rank makes the same calls in the same order; the hint "
            + Hints.DEADLINE
            + " says how long to wait; the MPI library may still touch the memory of this access,"
            + " which must not be used again");
  }

  private void abandon(MpiException why) {
    givenUp = why;
    contact.markLost(why);
  }

  @Override
  public AccessStatus await() {
    long start = System.nanoTime();
    for (int tests = 1; !(allCame && contact.isOnly(this)) && !test(); tests++) {
      if (tests > QUICK_TESTS) {
        long pause = (System.nanoTime() - start) / 8;
        LockSupport.parkNanos(this, Math.clamp(pause, MIN_NANOS, MAX_NANOS));
      }
    }
    if (givenUp != null) {
      throw new MpiException(
          givenUp.call(), givenUp.rank(), givenUp.code(), givenUp.text(), givenUp);
    }
    return new AccessStatus(request.await().bytes());
  }

  /**
   * Waits for the end. A failure of the access itself is left to those who {@link #await} it.
   *
   * @throws MpiException if ranks have been given up
   */
  void settle() {
    try {
      await();
    } catch (MpiException failed) {
      contact.check();
    }
  }
}
