package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.testkit.MpiJob;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a job does not hang if a rank ends normally while the others wait for it. */
@Execution(ExecutionMode.CONCURRENT)
final class EarlyExitIT {

  @TempDir private Path folder;

  static List<MpiJob> jobs() {
    return MpiJob.ofOne("openmpi");
  }

  static Stream<Arguments> earlyEnds() {
    return jobs().stream()
        .flatMap(job -> Stream.of("return", "exit", "bytes").map(how -> Arguments.of(job, how)));
  }

  @ParameterizedTest
  @MethodSource("earlyEnds")
  void jobEndsWithAnErrorThatNamesTheRank(MpiJob job, String how) {
    Oracle.Outcome said = job.run(EarlyExitRank.class, folder.resolve(how + ".h5").toString(), how);
    assertThat(said.exitCode()).isNotZero();
    assertThat(said.output() + said.errors())
        .contains("rank " + (job.ranks() - 1) + " of " + job.ranks() + " aborts")
        .contains(how + ".h5")
        .doesNotContain("went on");
  }

  static Stream<Arguments> absences() {
    return jobs().stream()
        .flatMap(job ->
            Stream.of(Arguments.of(job, "absent", job.ranks() - 1), Arguments.of(job, "root", 0)));
  }

  @ParameterizedTest
  @MethodSource("absences")
  void aRankThatEndedBeforeTheOthersOpenAFileIsNamedByThem(MpiJob job, String how, int absent) {
    Oracle.Outcome said = job.run(EarlyExitRank.class, folder.resolve(how + ".h5").toString(), how);
    assertThat(said.exitCode()).isNotZero();
    assertThat(said.output() + said.errors())
        .containsPattern("rank \\d of " + job.ranks() + " aborts: it has waited")
        .contains("for rank " + absent + " of " + job.ranks() + ", which has ended")
        .doesNotContain("went on");
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void aRankThatEndsAfterItsPartOfACallIsNotBlamed(MpiJob job) {
    Oracle.Outcome said = job.run(EarlyExitRank.class, "none", "late").orFail();
    assertThat(said.output().lines().filter(line -> line.contains("done"))).hasSize(job.ranks());
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void ranksThatAllEndWithoutClosingEndWell(MpiJob job) {
    Oracle.Outcome said =
        job.run(EarlyExitRank.class, folder.resolve("all.h5").toString(), "all").orFail();
    assertThat(said.output().lines().filter(line -> line.contains("done"))).hasSize(job.ranks());
  }
}
