package org.hyperslab.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A job of ranks under an {@code mpirun}, each a JVM with this one's class path. If that {@code
 * mpirun} is not installed, the test is skipped, or fails in strict mode, as with any {@link
 * Oracle}.
 *
 * <p>Thread rule: immutable.
 *
 * @param mpi {@code openmpi} or {@code mpich}
 * @param ranks the number of ranks; at most two for MPICH, which polls without yielding the core
 */
public record MpiJob(String mpi, int ranks) {

  private static final Duration LIMIT = Duration.ofMinutes(8);

  /** {@return jobs of four ranks under Open MPI and of two under MPICH} */
  public static List<MpiJob> ofBoth() {
    return List.of(new MpiJob("openmpi", 4), new MpiJob("mpich", 2));
  }

  /**
   * Returns a small job under one launcher in an ordinary run, and the jobs under both in a full
   * run. It is for behaviour that does not depend on the implementation of MPI.
   *
   * @param mpi {@code openmpi} (three ranks) or {@code mpich} (two ranks)
   * @return the jobs
   */
  public static List<MpiJob> ofOne(String mpi) {
    return Effort.isFull() ? ofBoth() : List.of(new MpiJob(mpi, mpi.equals("openmpi") ? 3 : 2));
  }

  /**
   * Runs a main class on every rank, for at most eight minutes, after which the job and all its
   * ranks are killed.
   *
   * @param main the class
   * @param arguments its arguments
   * @return the output and exit code of the job
   * @throws AssertionError if the job has not ended by then, with its output
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
