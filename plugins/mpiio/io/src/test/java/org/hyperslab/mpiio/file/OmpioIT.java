package org.hyperslab.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.hyperslab.testkit.MpiJob;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that defects of Open MPI's own MPI-IO do not reach the callers of {@code io=vendor}. */
final class OmpioIT {

  @TempDir Path folder;

  @Test
  void neitherItsMessagesNorItsUnfinishedTransfersReachLaterCalls() {
    Oracle.Outcome said = new MpiJob("openmpi", 3).run(OmpioRank.class, folder.toString());
    assertThat(said.exitCode()).as(said.text()).isZero();
    assertThat(said.output().lines().filter(line -> line.equals("done")))
        .as(said.text())
        .hasSize(3);
  }
}
