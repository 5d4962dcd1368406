package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;

import org.hyperslab.testkit.MpiJob;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StartedTransfersIT {

  @ParameterizedTest
  @CsvSource({"openmpi, 3", "mpich, 2"})
  void largeTransfersContinueUnderMpi(String mpi, int ranks) {
    try (TemporaryFolder folder = TemporaryFolder.create("started-mpi")) {
      Oracle.Outcome said =
          new MpiJob(mpi, ranks)
              .run(
                  StartedTransfersRank.class,
                  folder.path().toString(),
                  "progress=thread hyperslab_shared_memory=disable",
                  "progress=wait");
      assertThat(said.exitCode()).as(said.text()).isZero();
      assertThat(said.output().lines().filter(line -> line.contains("done")))
          .as(said.text())
          .hasSize(ranks);
    }
  }
}
