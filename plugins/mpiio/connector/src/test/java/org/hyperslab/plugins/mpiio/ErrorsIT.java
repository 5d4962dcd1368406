package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.hyperslab.testkit.MpiJob;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that an error of one rank is an error of all among processes too, and that no job hangs.
 */
final class ErrorsIT {

  @TempDir private Path folder;

  static List<MpiJob> jobs() {
    return MpiJob.ofOne("mpich");
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void errorOfOneRankIsReportedOnAll(MpiJob job) {
    Oracle.Outcome said = job.run(ErrorsRank.class, folder.toString()).orFail();
    assertThat(said.output().lines().filter(line -> line.contains("done"))).hasSize(job.ranks());
  }
}
