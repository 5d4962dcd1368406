package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hyperslab.testkit.MpiJob;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that large collective transfers continue after the call, with ranks that are processes. */
final class StartedTransfersIT {

  static List<MpiJob> jobs() {
    return MpiJob.ofOne("mpich");
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void largeTransfersContinueUnderMpi(MpiJob job) {
    try (TemporaryFolder folder = TemporaryFolder.create("started-mpi")) {
      Oracle.Outcome said =
          job.run(
              StartedTransfersRank.class,
              folder.path().toString(),
              "progress=thread hyperslab_shared_memory=disable",
              "progress=wait");
      assertThat(said.exitCode()).as(said.text()).isZero();
      assertThat(said.output().lines().filter(line -> line.contains("done")))
          .as(said.text())
          .hasSize(job.ranks());
    }
  }
}
