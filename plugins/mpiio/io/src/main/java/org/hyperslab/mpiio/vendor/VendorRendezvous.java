package org.hyperslab.mpiio.vendor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpi.MpiRequest;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Consensus;
import org.hyperslab.mpiio.comm.LimitedCall;
import org.hyperslab.mpiio.file.FileRequest;
import org.hyperslab.mpiio.hint.Hints;

/**
 * Keeps ranks from waiting in the MPI library's collective routines for a rank that does not come,
 * since those routines have no limit. Before a routine that waits, all ranks meet. A rank that
 * starts an access notifies the others, so that one which waits for it knows whether all take part.
 * When all have come, nothing is limited, because storage may be slow.
 *
 * <p>With the hint {@code hyperslab_deadline=0}, ranks neither meet nor notify each other.
 *
 * <p>Thread rule: one thread at a time, the communicator's.
 */
final class VendorRendezvous {

  /** The longest time for accesses to end that have been given up, in nanoseconds. */
  private static final long DROP_NANOS = 20_000_000;

  private final Communicator comm;
  private final Consensus ranks;
  private final LimitedCall limited;
  private long deadlineNanos;

  /** The number of collective accesses that have been started; the same on all ranks. */
  private long started;

  /** The outstanding messages of other ranks about accesses that this rank has started. */
  private final List<StartNotices> expected = new ArrayList<>();

  /** The collective accesses that may not have ended. */
  private final List<VendorRequest> ongoing = new ArrayList<>();

  /** Why the ranks may be at different calls; null while they are together. */
  private MpiException lost;

  VendorRendezvous(Communicator comm, Hints hints) {
    this.comm = comm;
    this.ranks = new Consensus(comm);
    this.limited = new LimitedCall(comm, this::markLost);
    use(hints);
  }

  void use(Hints hints) {
    deadlineNanos = hints.deadlineNanos();
  }

  /** Returns whether ranks have been given up, so that every call fails at once. */
  boolean isLost() {
    return lost != null;
  }

  boolean isLimited() {
    return deadlineNanos != Long.MAX_VALUE && comm.size() > 1;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  /** Throws if ranks have been given up. */
  void check() {
    if (lost != null) {
      throw new MpiException(
          lost.call(), lost.rank(), lost.code(), lost.text() + "; given up before", lost);
    }
  }

  /**
   * Waits until all started accesses have ended, and until all ranks have come to a routine and
   * have prepared it.
   *
   * @param call the routine, and those of its arguments that must be the same on all ranks
   * @param prepare what each rank does first, without the others
   * @return what {@code prepare} returned
   * @throws HyperslabException on all ranks, if one does not come, makes another call, or cannot
   *     prepare it
   */
  <T> T together(String call, Supplier<T> prepare) {
    check();
    settle();
    if (!isLimited()) {
      return prepare.get();
    }
    expected.removeIf(StartNotices::allArrived);
    return limited.run(call, started, deadlineNanos, () -> ranks.run(prepare));
  }

  /** Waits until all started accesses have ended. */
  void settle() {
    List.copyOf(ongoing).forEach(VendorRequest::settle);
    ongoing.clear();
  }

  /**
   * Returns a collective access that this rank has just started, with a limit for those that wait
   * for it, and notifies the other ranks.
   *
   * @param call the routine
   */
  FileRequest started(String call, MpiRequest request) {
    started++;
    advance();
    StartNotices notices = null;
    if (isLimited()) {
      notices = StartNotices.exchange(comm, call);
      expected.add(notices);
    }
    VendorRequest access = new VendorRequest(request, notices, this);
    ongoing.add(access);
    return access;
  }

  /**
   * Requires that all ranks pass the same argument of a routine to which they have come.
   *
   * @throws InvalidUseException on all ranks if they differ
   */
  void requireSame(String what, String mine) {
    if (isLimited()) {
      ranks.requireSame(what, mine);
    }
  }

  /** Returns a description for display. */
  String explain() {
    return "started accesses go on when the rank tests or waits, as far as the library does that; "
        + (isLimited()
            ? "ranks meet before each collective routine for at most "
                + deadlineNanos / 1_000_000
                + " ms, and what the library does once all have come has no limit"
            : "a rank that stays away is awaited for ever");
  }

  /**
   * Advances all started accesses. ROMIO advances only the access that is tested, so ranks that
   * test accesses in different orders could wait for each other.
   */
  void advance() {
    ongoing.removeIf(VendorRequest::isFree);
  }

  /** Returns whether no other access is in progress. */
  boolean isOnly(VendorRequest access) {
    advance();
    return ongoing.isEmpty() || ongoing.equals(List.of(access));
  }

  /**
   * Lets accesses end that were given up, as far as the library ends them soon. While OMPIO has a
   * request that nobody has tested to its end, it refuses to sync any file of the process.
   */
  void drop() {
    long start = System.nanoTime();
    while (!ongoing.isEmpty() && System.nanoTime() - start < DROP_NANOS) {
      advance();
      Thread.onSpinWait();
    }
  }

  /** Gives up other ranks, so that all further calls fail. */
  void markLost(MpiException why) {
    lost = lost == null ? why : lost;
  }
}
