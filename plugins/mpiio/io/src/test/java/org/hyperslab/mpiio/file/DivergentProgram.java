package org.hyperslab.mpiio.file;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.declared.DeclaredWrites;
import org.hyperslab.mpiio.hint.Hints;

/**
 * A random program of blocking and started collective calls, in which one rank diverges from the
 * others.
 *
 * @param calls what every rank calls
 * @param divergence how one rank differs
 * @param rank that rank
 * @param step where it differs
 * @param other the call that it makes instead, where it makes another
 * @param hints of the file
 */
record DivergentProgram(
    List<Call> calls, Divergence divergence, int rank, int step, Call other, String hints) {

  private static final int STEPS = 6;
  private static final int BYTES = 64;

  /** Collective calls. */
  enum Call {
    WRITE,
    READ,
    ORDERED,
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
    DECLARED
  }

  /** How a rank differs from the others. */
  enum Divergence {
    MISSING,
    OTHER,
    ARGUMENTS,
    ORDER,
    THROWS,
    ENDS
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
        "hyperslab_deadline=" + deadlineSeconds + " progress=" + progress);
  }

  /** Returns the same program with more hints. */
  DivergentProgram with(String more) {
    return new DivergentProgram(calls, divergence, rank, step, other, hints + " " + more);
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
        case THROWS, ENDS -> mine.subList(step, STEPS).clear();
        case ARGUMENTS -> {}
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
    MpiFile file = opener.open(comm, modes, Hints.parse(hints));
    List<FileRequest> requests = new ArrayList<>();
    boolean diverges = comm.rank() == rank;
    List<Call> mine = of(comm);
    HyperslabException failure = null;
    try {
      for (int i = 0; i < mine.size(); i++) {
        int argument = diverges && divergence == Divergence.ARGUMENTS && i == step ? 1 : 0;
        call(file, mine.get(i), argument, requests);
        requests.forEach(FileRequest::test);
      }
      requests.forEach(FileRequest::await);
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
      close(file, failure);
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

  private static void call(MpiFile file, Call call, int argument, List<FileRequest> requests) {
    long offset = (long) file.group().rank() * BYTES;
    MemoryBuffer buffer = MemoryBuffer.of(MemorySegment.ofArray(new byte[BYTES]));
    switch (call) {
      case WRITE -> file.writeAtAll(offset, buffer);
      case READ -> file.readAtAll(offset, buffer);
      case ORDERED -> file.writeOrdered(buffer);
      case START_WRITE -> requests.add(file.startWriteAtAll(offset, buffer));
      case START_READ -> requests.add(file.startReadAtAll(offset, buffer));
      case SPLIT -> file.beginWriteAtAll(offset, buffer).end();
      case SYNC -> file.sync();
      case SET_SIZE -> file.setSize(1000 + argument);
      case PREALLOCATE -> file.preallocate(1000 + argument);
      case SET_INFO -> file.setInfo(Map.of("cb_nodes", Integer.toString(1 + argument)));
      case SET_VIEW -> file.setView(FileView.bytes());
      case SEEK_SHARED -> file.seekShared(argument, Whence.START);
      case SET_ATOMIC -> file.setAtomic(argument == 1);
      case DECLARED -> {
        try (DeclaredWrites writes =
            file.declareWrites(new long[] {offset}, new long[] {BYTES + argument})) {
          if (argument == 0) {
            writes.write(MemorySegment.ofArray(new byte[BYTES]));
          }
        }
      }
    }
  }
}
