package org.hyperslab.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.MpiJob;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the programs of {@link DivergenceRandomTest} with ranks that are processes. */
final class DivergenceIT {

  private static final int PROGRAMS = Effort.times(4, 100);

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"openmpi, 3, io=own", "mpich, 2, io=own", "mpich, 2, io=vendor"})
  void noRankWaitsForever(String mpi, int ranks, String hints) {
    run(mpi, ranks, hints);
  }

  @Campaign
  @Test
  void noRankWaitsForeverUnderOpenMpisOwnEngine() {
    run("openmpi", 3, "io=vendor");
  }

  private void run(String mpi, int ranks, String hints) {
    String seed = Long.toString(Seeds.draw());
    Oracle.Outcome said =
        new MpiJob(mpi, ranks)
            .run(DivergenceRank.class, folder.toString(), seed, Integer.toString(PROGRAMS), hints);
    assertThat(said.exitCode()).as(said.text()).isZero();
    assertThat(said.output().lines().filter(line -> line.contains("done")))
        .as(said.text())
        .hasSize(ranks);
  }
}
