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
 * Tests that, if MPI accepts calls of one thread only, no other thread of the connector makes
 * calls.
 */
final class FewThreadsIT {

  @TempDir private Path folder;

  static List<MpiJob> jobs() {
    return MpiJob.ofOne("mpich");
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void ranksWithFewThreadsAgreeOnACreationWithinTheCall(MpiJob job) {
    String file = folder.resolve("few.h5").toString();
    Oracle.Outcome said = job.run(FewThreadsRank.class, file).orFail();
    assertThat(said.output().lines().filter(line -> line.contains("done"))).hasSize(job.ranks());
  }
}
