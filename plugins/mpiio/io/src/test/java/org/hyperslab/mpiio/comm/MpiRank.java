package org.hyperslab.mpiio.comm;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.hyperslab.mpi.Mpi;

/**
 * A rank that {@link MpiRunIT} starts under mpirun: runs the task that its first argument names.
 * Every rank that succeeds prints one line that begins with {@code done}.
 */
final class MpiRank {

  private MpiRank() {}

  /** Runs one rank. */
  public static void main(String[] arguments) throws Exception {
    Communicator world = Worlds.current();
    String what = arguments[0];
    switch (what) {
      case "contract" -> {
        contract(world, Long.parseLong(arguments[1]), Integer.parseInt(arguments[2]));
        nullChecks(world);
      }
      case "throw" -> {
        if (world.rank() == 1) {
          throw new IllegalStateException("rank one gives up");
        }
        world.barrier();
      }
      case "exit" -> {
        if (world.rank() == 1) {
          System.exit(3);
        }
        world.barrier();
      }
      case "quiet" -> world.barrier();
      case "exit-zero" -> {
        world.barrier();
        System.out.println("done " + what + " " + world.describe());
        System.exit(0);
      }
      case "halt" -> {
        if (world.rank() == 1) {
          Runtime.getRuntime().halt(4);
        }
        world.barrier();
      }
      case "null-checks" -> nullChecks(world);
      default -> throw new IllegalArgumentException(what);
    }
    System.out.println("done " + what + " " + world.describe());
  }

  /** Makes all checks on the world, and every step-th on a part of it. */
  private static void contract(Communicator world, long seed, int step) {
    List<CommunicatorContract.Check> checks = CommunicatorContract.checks(seed);
    for (CommunicatorContract.Check check : checks) {
      long start = System.nanoTime();
      try {
        check.body().run(world);
      } catch (Exception | AssertionError e) {
        throw new IllegalStateException(check.name() + " on " + world.describe(), e);
      }
      if (world.rank() == 0) {
        System.out.printf(
            "passed %s in %d ms%n", check.name(), (System.nanoTime() - start) / 1_000_000);
      }
    }
    try (Communicator part = world.split(world.rank() % 2, -world.rank())) {
      for (int i = 0; i < checks.size(); i += step) {
        CommunicatorContract.Check check = checks.get(i);
        try {
          check.body().run(part);
        } catch (Exception | AssertionError e) {
          throw new IllegalStateException(check.name() + " on " + part.describe(), e);
        }
      }
    }
  }

  /**
   * Checks that the JVM still turns SIGSEGV into NullPointerException, whatever libraries MPI uses.
   */
  private static void nullChecks(Communicator world) {
    int caught = 0;
    for (int i = 0; i < 200_000; i++) {
      try {
        caught += length(i % 1000 == 999 ? null : "text");
      } catch (NullPointerException e) {
        caught += 1_000_000;
      }
    }
    world.barrier();
    long[] all = {caught};
    world.allReduce(all, Reduction.MIN);
    if (all[0] != 199_800L * 4 + 200L * 1_000_000 || Mpi.started().isEmpty()) {
      throw new IllegalStateException("null checks: " + all[0]);
    }
    world.broadcast(MemorySegment.ofArray(all), 0);
  }

  private static int length(String text) {
    return text.length();
  }
}
