package org.hyperslab.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A job of ranks under an {@code mpirun}, each a JVM with this one's class path. A test that needs
 * one which is not installed is skipped, or fails in strict mode, as with any {@link Oracle}.
 *
 * <p>Thread rule: immutable.
 *
 * @param mpi {@code openmpi} or {@code mpich}
 * @param ranks how many; no more than two for MPICH, which does not yield a core that it waits on
 */
public record MpiJob(String mpi, int ranks) {

  private static final Duration LIMIT = Duration.ofMinutes(8);

  /** {@return jobs of four ranks under Open MPI and of two under MPICH} */
  public static List<MpiJob> ofBoth() {
    return List.of(new MpiJob("openmpi", 4), new MpiJob("mpich", 2));
  }

  /**
   * Runs a main class on every rank, for eight minutes at most; then the job and all its ranks are
   * killed.
   *
   * @param main the class
   * @param arguments its arguments
   * @return what the job printed, and its exit code
   * @throws AssertionError if it has not ended by then, with what it said
   */
  public Oracle.Outcome run(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>(List.of("-n", Integer.toString(ranks)));
    if (mpi.equals("openmpi")) {
      command.addAll(List.of("--allow-run-as-root", "--oversubscribe", "--bind-to", "none"));
    }
    command.addAll(ChildJvm.command(512, main, arguments));
    return Oracle.program("mpirun." + mpi).runIn(null, LIMIT, command.toArray(String[]::new));
  }

  @Override
  public String toString() {
    return ranks + " ranks under mpirun." + mpi;
  }
}
