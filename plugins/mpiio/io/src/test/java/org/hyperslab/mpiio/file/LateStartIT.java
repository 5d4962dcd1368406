package org.hyperslab.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.hyperslab.testkit.MpiJob;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LateStartIT {

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"openmpi, 3", "mpich, 2"})
  void testsDoNotWaitForRanksThatStartLater(String mpi, int ranks) {
    Oracle.Outcome said =
        new MpiJob(mpi, ranks)
            .run(
                LateStartRank.class,
                folder.toString(),
                "progress=wait",
                "progress=thread",
                "progress=engine hyperslab_shared_memory=disable",
                "io=vendor",
                "progress=wait romio_cb_write=enable romio_cb_read=enable"
                    + " hyperslab_shared_memory=disable");
    assertThat(said.exitCode()).as(said.text()).isZero();
    assertThat(said.output().lines().filter(line -> line.contains("done")))
        .as(said.text())
        .hasSize(ranks);
  }
}
