package org.hyperslab.mpiio.comm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.MpiJob;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Runs jobs of real MPI processes under {@code mpirun.openmpi} and {@code mpirun.mpich}: the
 * contract of communicators, the binding's checks, and the ends of jobs. A job that does not end is
 * killed and fails. If a launcher is not installed, its tests are skipped, or fail in strict mode.
 */
@Execution(ExecutionMode.CONCURRENT)
final class MpiRunIT {

  private static final long SEED = Long.getLong("hyperslab.seed", 20261121L);

  @TestFactory
  Stream<DynamicTest> jobsUnderBothLaunchers() {
    Stream<DynamicTest> contracts =
        MpiJob.ofBoth().stream()
            .map(job -> test(job, "keepsTheContract", () -> succeeds(job, "contract")));
    // Two ranks suffice to test how a job ends.
    Stream<DynamicTest> ends =
        Stream.of("openmpi", "mpich").map(mpi -> new MpiJob(mpi, 2)).flatMap(MpiRunIT::endings);
    return Stream.concat(contracts, ends);
  }

  /** Open MPI 4.1 fails if two jobs create their session directories at the same time. */
  @Test
  void jobsOfOpenMpiHaveSessionDirectoriesOfTheirOwn() {
    Set<String> folders = new HashSet<>();
    for (int job = 0; job < 2; job++) {
      try (TemporaryFolder other = TemporaryFolder.create("job")) {
        String folder =
            Oracle.program("mpirun.openmpi")
                .run("--allow-run-as-root", "-n", "1", "printenv", "OMPI_MCA_orte_tmpdir_base")
                .orFail()
                .output()
                .strip();
        assertThat(folder).isNotEqualTo(other.path().toString());
        folders.add(folder);
      }
    }
    assertThat(folders).allSatisfy(folder -> assertThat(Path.of(folder)).isAbsolute());
  }

  private static Stream<DynamicTest> endings(MpiJob job) {
    // The job of the contract checks the first two as well.
    Stream<DynamicTest> alone =
        Stream.of(
            test(job, "endsCleanlyWhenMainReturns", () -> succeeds(job, "quiet")),
            test(job, "keepsTheJvmsNullChecks", () -> succeeds(job, "null-checks")));
    Stream<DynamicTest> ends =
        Stream.of(
            test(job, "endsCleanlyAtExitZero", () -> succeeds(job, "exit-zero")),
            test(job, "exceptionOfOneRankEndsTheJob", () -> throwing(job)),
            test(job, "exitCodeOfOneRankIsTheJobs", () -> exiting(job, "exit", 3)),
            test(job, "deathOfOneRankEndsTheJob", () -> dying(job)));
    return Effort.isFull() ? Stream.concat(alone, ends) : ends;
  }

  private static DynamicTest test(MpiJob job, String behaviour, Executable body) {
    return DynamicTest.dynamicTest(behaviour + " with " + job, body);
  }

  private static void succeeds(MpiJob job, String what) throws Exception {
    String step = Integer.toString(Effort.times(3, 1));
    Oracle.Outcome outcome = job.run(MpiRank.class, what, Long.toString(SEED), step);
    assertThat(outcome.exitCode()).as(outcome.text()).isZero();
    for (int rank = 0; rank < job.ranks(); rank++) {
      assertThat(outcome.text())
          .contains("done " + what + " MPI_COMM_WORLD " + rank + " of " + job.ranks());
    }
  }

  private static void throwing(MpiJob job) throws Exception {
    Oracle.Outcome outcome = job.run(MpiRank.class, "throw");
    assertThat(outcome.exitCode()).as(outcome.text()).isNotZero();
    assertThat(outcome.text())
        .contains("rank 1 of " + job.ranks() + " aborts")
        .contains("rank one gives up")
        .doesNotContain("done");
  }

  private static void dying(MpiJob job) throws Exception {
    Oracle.Outcome outcome = job.run(MpiRank.class, "halt");
    endsWith(job, outcome, 4);
    assertThat(outcome.text()).doesNotContain("done");
  }

  private static void exiting(MpiJob job, String what, int code) throws Exception {
    Oracle.Outcome outcome = job.run(MpiRank.class, what);
    endsWith(job, outcome, code);
    assertThat(outcome.text())
        .contains("rank 1 of " + job.ranks() + " ends early: exit code " + code)
        .doesNotContain("done");
  }

  /**
   * Checks the exit code of a job in which one rank ends early. The launcher kills the others;
   * MPICH's launcher reports the status of the rank that it hears of first, which can be that of a
   * killed one, 9.
   */
  private static void endsWith(MpiJob job, Oracle.Outcome outcome, int code) {
    if (job.mpi().equals("mpich")) {
      assertThat(outcome.exitCode()).as(outcome.text()).isIn(code, 9);
    } else {
      assertThat(outcome.exitCode()).as(outcome.text()).isEqualTo(code);
    }
  }
}
