package org.hyperslab.mpiio.file;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.declared.DeclaredWrites;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.waiting.Ticker;

/**
 * A random program of blocking and started collective calls, in which one rank diverges from the
 * others.
 *
 * @param calls what every rank calls
 * @param divergence how one rank differs
 * @param rank that rank
 * @param step where it differs; a rank that throws or ends at step 0 does so before it opens the
 *     file, and one that is late there is late to open it
 * @param other the call that it makes instead, where it makes another
 * @param lateNanos how late it is, if it is late: as long as others wait, or little more
 * @param polls whether ranks test started accesses until they have ended, instead of waiting
 * @param hints of the file
 */
record DivergentProgram(
    List<Call> calls,
    Divergence divergence,
    int rank,
    int step,
    Call other,
    long lateNanos,
    boolean polls,
    String hints) {

  private static final int STEPS = 6;
  private static final int BYTES = 64;
  private static final long POLL_NANOS = 100_000;

  /** Collective calls, and calls of a rank alone, whose ranges overlap in atomic mode. */
  enum Call {
    WRITE,
    READ,
    ORDERED,
    WRITE_SHARED,
    SPLIT_ORDERED,
    START_WRITE,
    START_READ,
    SPLIT,
    SYNC,
    SET_SIZE,
    PREALLOCATE,
    SET_INFO,
    SET_VIEW,
    SEEK_SHARED,
    SET_ATOMIC,
    DECLARED,
    WRITE_ALONE,
    START_ALONE
  }

  /** The way in which a rank differs from the others. */
  enum Divergence {
    MISSING,
    OTHER,
    ARGUMENTS,
    ORDER,
    THROWS,
    ENDS,
    LATE
  }

  /** The way in which the diverging rank makes the call at which it differs. */
  private enum Manner {
    /** As the others. */
    ALIKE,
    /** With other arguments. */
    OTHERWISE,
    /** Begins what has a begin and an end, and leaves. */
    HALF,
    /** Comes late to its begin, or to its end. */
    LATE
  }

  /** The exception thrown by a rank that fails. */
  static final class Injected extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Opens the file. */
  @FunctionalInterface
  interface Opener {
    MpiFile open(Communicator comm, Set<AccessMode> modes, Hints hints);
  }

  static DivergentProgram of(Random random, int ranks, double deadlineSeconds) {
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < STEPS; i++) {
      calls.add(any(Call.values(), random));
    }
    String progress = List.of("thread", "engine", "wait").get(random.nextInt(3));
    return new DivergentProgram(
        calls,
        any(Divergence.values(), random),
        random.nextInt(ranks),
        random.nextInt(STEPS),
        any(Call.values(), random),
        (long) (deadlineSeconds * 1e9) + List.of(0, 0, 20_000, 100_000).get(random.nextInt(4)),
        random.nextBoolean(),
        "cb_buffer_size=4096 hyperslab_deadline=" + deadlineSeconds + " progress=" + progress);
  }

  /** Returns the same program with more hints. */
  DivergentProgram with(String more) {
    return new DivergentProgram(
        calls, divergence, rank, step, other, lateNanos, polls, hints + " " + more);
  }

  private static <T> T any(T[] values, Random random) {
    return values[random.nextInt(values.length)];
  }

  /** The calls of a rank. */
  private List<Call> of(Communicator comm) {
    List<Call> mine = new ArrayList<>(calls);
    if (comm.rank() == rank) {
      switch (divergence) {
        case MISSING -> mine.remove(step);
        case OTHER -> mine.set(step, other);
        case ORDER -> Collections.swap(mine, step, (step + 1) % STEPS);
        case THROWS, ENDS -> mine.subList(step + 1, STEPS).clear();
        case ARGUMENTS, LATE -> {}
      }
    }
    return mine;
  }

  /**
   * Runs this rank's part.
   *
   * @throws HyperslabException if the ranks do not agree
   * @throws Injected on the rank that throws
   */
  void run(Communicator comm, Opener opener) {
    Set<AccessMode> modes = Set.of(AccessMode.CREATE, AccessMode.READ_WRITE);
    boolean diverges = comm.rank() == rank;
    if (divergence == Divergence.LATE && step == 0 && polls) {
      opener.open(comm, modes, Hints.parse(hints)).close(); // the next opening knows more already
    }
    if (diverges && step == 0 && isBeforeOpening(comm.ticker())) {
      return;
    }
    MpiFile file = opener.open(comm, modes, Hints.parse(hints));
    List<FileRequest> requests = new ArrayList<>();
    List<Call> mine = of(comm);
    HyperslabException failure = null;
    try {
      for (int i = 0; i < mine.size(); i++) {
        call(file, mine.get(i), diverges && i == step ? manner() : Manner.ALIKE, requests);
        requests.forEach(FileRequest::test);
      }
      requests.forEach(request -> end(request, comm.ticker()));
    } catch (HyperslabException told) {
      failure = told;
    }
    if (diverges && hints.contains("io=vendor")) {
      drop(requests);
    }
    if (diverges && divergence == Divergence.THROWS) {
      throw new Injected();
    }
    if (!diverges || divergence != Divergence.ENDS) {
      long since = comm.ticker().nanoTime();
      try {
        close(file, failure);
      } finally {
        long nanos = comm.ticker().nanoTime() - since;
        if (comm.ticker() != Ticker.SYSTEM && isLost(failure)) {
          checkClosed(file, nanos, failure);
        }
      }
    }
  }

  /** Tests that a file that has given ranks up was closed, without waiting for them again. */
  private static void checkClosed(MpiFile file, long nanos, HyperslabException failure) {
    if (nanos > 0) {
      throw new AssertionError("closing waited for " + nanos + " ns after " + failure);
    }
    try {
      file.position();
    } catch (InvalidUseException closed) {
      return;
    }
    throw new AssertionError("the file is still open after " + failure);
  }

  /**
   * Returns whether the file has given ranks up, so that none of its calls waits for them any more.
   * Declared writes do so for themselves only.
   */
  private static boolean isLost(HyperslabException failure) {
    return failure != null
        && !failure.getMessage().startsWith("declared writes")
        && (failure.getMessage().contains("nothing has moved")
            || failure.getMessage().contains("has waited for")
            || failure.getMessage().contains("ranks differ"));
  }

  private Manner manner() {
    return switch (divergence) {
      case ARGUMENTS -> Manner.OTHERWISE;
      case THROWS, ENDS -> Manner.HALF;
      case LATE -> Manner.LATE;
      case MISSING, OTHER, ORDER -> Manner.ALIKE;
    };
  }

  /** Does what the rank does before it opens the file; returns whether it has ended then. */
  private boolean isBeforeOpening(Ticker ticker) {
    return switch (divergence) {
      case THROWS -> throw new Injected();
      case ENDS -> true;
      case LATE -> {
        comeLate(ticker);
        yield false;
      }
      case MISSING, OTHER, ARGUMENTS, ORDER -> false;
    };
  }

  private void end(FileRequest request, Ticker ticker) {
    while (polls && !request.test()) {
      ticker.parkNanos(request, POLL_NANOS);
    }
    request.await();
  }

  /** Waits until others give this rank up: some may do so just when it comes. */
  private void comeLate(Ticker ticker) {
    long start = ticker.nanoTime();
    for (long left = lateNanos; left > 0; left = lateNanos - (ticker.nanoTime() - start)) {
      ticker.parkNanos(this, left);
    }
  }

  /**
   * Tests what a rank has left until it has ended, if it ends soon: Open MPI's own MPI-IO refuses
   * to sync later files of a process in which a request was left.
   */
  private static void drop(List<FileRequest> requests) {
    for (FileRequest request : requests) {
      for (int tests = 0; tests < 10_000 && !request.test(); tests++) {
        Thread.onSpinWait();
      }
    }
  }

  private static void close(MpiFile file, HyperslabException failure) {
    try {
      file.close();
    } catch (HyperslabException closing) {
      throw failure == null ? closing : failure;
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void call(MpiFile file, Call call, Manner manner, List<FileRequest> requests) {
    long offset = (long) file.group().rank() * BYTES;
    MemoryBuffer buffer = MemoryBuffer.of(MemorySegment.ofArray(new byte[BYTES]));
    int argument = manner == Manner.OTHERWISE ? 1 : 0;
    Ticker ticker = file.group().ticker();
    if (manner == Manner.LATE && polls) {
      comeLate(ticker);
    }
    boolean stays = manner != Manner.HALF;
    Runnable between = manner == Manner.LATE && !polls ? () -> comeLate(ticker) : () -> {};
    switch (call) {
      case START_WRITE -> requests.add(file.startWriteAtAll(offset, buffer));
      case START_READ -> requests.add(file.startReadAtAll(offset, buffer));
      case SPLIT -> end(file.beginWriteAtAll(offset, buffer), between, stays);
      case SPLIT_ORDERED -> end(file.beginWriteOrdered(buffer), between, stays);
      case DECLARED ->
          declare(file, new long[] {offset}, new long[] {BYTES + argument}, between, manner);
      case WRITE_SHARED -> file.writeShared(buffer);
      case WRITE_ALONE -> file.writeAt(0, buffer);
      case START_ALONE -> requests.add(file.startWriteAt(0, buffer));
      case WRITE,
          READ,
          ORDERED,
          SYNC,
          SET_SIZE,
          PREALLOCATE,
          SET_INFO,
          SET_VIEW,
          SEEK_SHARED,
          SET_ATOMIC -> {
        if (stays) {
          between.run();
          callWhole(file, call, argument, buffer);
        }
      }
    }
  }

  private static void end(SplitAccess begun, Runnable between, boolean stays) {
    between.run();
    if (stays) {
      begun.end();
    }
  }

  @SuppressWarnings("resource") // a rank that leaves does not close what it has declared
  private static void declare(
      MpiFile file, long[] offsets, long[] lengths, Runnable between, Manner manner) {
    DeclaredWrites writes = file.declareWrites(offsets, lengths);
    try {
      if (manner == Manner.ALIKE || manner == Manner.LATE) {
        between.run();
        writes.write(MemorySegment.ofArray(new byte[BYTES]));
        between.run();
      }
    } finally {
      if (manner != Manner.HALF) {
        writes.close();
      }
    }
  }

  /** Makes a call that does not have a begin and an end. */
  private static void callWhole(MpiFile file, Call call, int argument, MemoryBuffer buffer) {
    long offset = (long) file.group().rank() * BYTES;
    switch (call) {
      case WRITE -> file.writeAtAll(offset, buffer);
      case READ -> file.readAtAll(offset, buffer);
      case ORDERED -> file.writeOrdered(buffer);
      case SYNC -> file.sync();
      case SET_SIZE -> file.setSize(1000 + argument);
      case PREALLOCATE -> file.preallocate(1000 + argument);
      case SET_INFO -> file.setInfo(Map.of("cb_nodes", Integer.toString(1 + argument)));
      case SET_VIEW -> file.setView(FileView.bytes());
      case SEEK_SHARED -> file.seekShared(argument, Whence.START);
      case SET_ATOMIC -> file.setAtomic(argument == 0);
      case START_WRITE,
          START_READ,
          SPLIT,
          SPLIT_ORDERED,
          DECLARED,
          WRITE_SHARED,
          WRITE_ALONE,
          START_ALONE ->
          throw new IllegalArgumentException(call.toString());
    }
  }
}
