package org.hyperslab.mpiio.waiting;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.mpi.Mpi;
import org.hyperslab.mpi.MpiCommunicator;
import org.hyperslab.mpi.TerminationProbe;
import org.hyperslab.mpi.ThreadLevel;

/**
 * Aborts a job in which a rank waits for one that has ended. A thread periodically checks the call
 * in which this rank waits. If the call has lasted for {@code -Dhyperslab.mpi.farewellSeconds}, the
 * thread asks the awaited ranks whether they have ended without making that call. If one has, and
 * nothing changes until the next check, the job is aborted with a message that names the rank,
 * because the call would never return.
 *
 * <p>A rank that computes for hours before it makes the call does not answer, so the watch keeps
 * waiting for it. A rank that made the call and then ended is not blamed, because ranks count their
 * calls.
 *
 * <p>Needs {@link ThreadLevel#MULTIPLE}; without it, calls are not watched.
 */
public final class StallWatch {

  /** The number of ranks of a collective call that are probed at each check. */
  private static final int ASKED_AT_ONCE = 16;

  private static final long MIN_PAUSE_NANOS = 100_000_000L;
  private static final long MAX_PAUSE_NANOS = 2_000_000_000L;

  private static final Map<Mpi, Optional<StallWatch>> OF_PROCESS = new ConcurrentHashMap<>();

  private final Mpi mpi;
  private final TerminationProbe probe;
  private final long limitNanos;
  private final CallCounts.Table counts = new CallCounts.Table();

  /** Held weakly, because a thread's world communicator is never closed; guarded by itself. */
  private final Set<WaitingCall> calls = Collections.newSetFromMap(new WeakHashMap<>());

  private final Map<WaitingCall, Stall> stalls = new HashMap<>();
  private long questions;

  private StallWatch(Mpi mpi, TerminationProbe probe) {
    this.mpi = mpi;
    this.probe = probe;
    this.limitNanos = mpi.farewellLimit().toNanos();
  }

  /**
   * {@return the watch of this process; empty if watching is impossible or disabled}
   *
   * @param mpi the library
   */
  public static Optional<StallWatch> of(Mpi mpi) {
    return OF_PROCESS.computeIfAbsent(mpi, StallWatch::start);
  }

  private static Optional<StallWatch> start(Mpi mpi) {
    if (mpi.threadLevel() != ThreadLevel.MULTIPLE || mpi.terminationProbe().isEmpty()) {
      return Optional.empty();
    }
    StallWatch watch = new StallWatch(mpi, mpi.terminationProbe().get());
    watch.probe.answerIf(watch.counts::misses);
    Thread.ofPlatform().daemon().name("MPI stall watch").start(watch::run);
    return Optional.of(watch);
  }

  /** {@return the counts of all open communicators} */
  public CallCounts.Table counts() {
    return counts;
  }

  /**
   * Watches a call.
   *
   * @param call the call
   */
  public void add(WaitingCall call) {
    synchronized (calls) {
      calls.add(call);
    }
  }

  /**
   * Ends the watch of a call.
   *
   * @param call the call
   */
  public void remove(WaitingCall call) {
    synchronized (calls) {
      calls.remove(call);
    }
  }

  private void run() {
    long pause = Math.clamp(limitNanos / 8, MIN_PAUSE_NANOS, MAX_PAUSE_NANOS);
    while (!mpi.isFinished()) {
      LockSupport.parkNanos(pause);
      try {
        inspect();
      } catch (HyperslabException closing) {
        // A communicator was closed, or MPI ended, during the check.
        stalls.clear();
      }
    }
  }

  private void inspect() {
    List<WaitingCall> present;
    synchronized (calls) {
      present = List.copyOf(calls);
    }
    stalls.keySet().retainAll(present);
    for (WaitingCall call : present) {
      long serial = call.serial();
      if ((serial & 1) == 0) {
        stalls.remove(call);
        continue;
      }
      Stall stall = stalls.get(call);
      if (stall == null || stall.serial != serial) {
        stalls.put(call, new Stall(serial, questions++));
      } else if (System.nanoTime() - stall.since > limitNanos) {
        stall.pursue(call);
      }
    }
    for (OptionalLong answer = probe.answered(); // all that have arrived
        answer.isPresent();
        answer = probe.answered()) {
      long number = answer.getAsLong();
      stalls.values().forEach(stall -> stall.hear(number));
    }
  }

  /** A call that has lasted long. */
  private final class Stall {
    final long serial;
    final long since = System.nanoTime();
    private final long question;
    private int asked;

    /** The rank of the communicator that has ended without the call; -1 while none is known. */
    private int ended = -1;

    Stall(long serial, long question) {
      this.serial = serial;
      this.question = question;
    }

    /** Asks some more ranks, or aborts the job if one has answered. */
    void pursue(WaitingCall call) {
      byte[] about = call.question();
      if (about == null || call.serial() != serial) {
        return;
      }
      if (ended >= 0) {
        abort(call);
      } else if (call.peer() != WaitingCall.ALL) {
        ask(call, call.peer(), about);
      } else {
        for (int i = 0; i < Math.min(ASKED_AT_ONCE, call.comm().size() - 1); i++) {
          ask(call, (call.comm().rank() + 1 + asked++) % call.comm().size(), about);
        }
      }
    }

    private void ask(WaitingCall call, int rank, byte[] about) {
      MpiCommunicator comm = call.comm();
      int inWorld = rank == comm.rank() ? -1 : comm.ranksIn(mpi.world())[rank];
      if (inWorld >= 0) {
        probe.ask(inWorld, question << Integer.SIZE | rank, about);
      }
    }

    void hear(long number) {
      if (number >>> Integer.SIZE == question) {
        ended = (int) number;
      }
    }

    private void abort(WaitingCall call) {
      mpi.abort(
          1,
          "it has waited for "
              + mpi.farewellLimit().toSeconds()
              + " s in "
              + call.name()
              + " for rank "
              + ended
              + " of "
              + call.comm().size()
              + ", which has ended without that call; all ranks must make the same collective"
              + " calls, such as opening a file");
    }
  }
}
