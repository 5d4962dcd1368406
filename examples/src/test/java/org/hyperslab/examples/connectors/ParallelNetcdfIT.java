package org.hyperslab.examples.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.hyperslab.testkit.MpiJob;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that ranks that are processes can write one netCDF-4 file. */
final class ParallelNetcdfIT {

  @TempDir Path folder;

  static List<MpiJob> jobs() {
    return MpiJob.ofOne("mpich");
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void ranksThatAreProcessesMakeOneFile(MpiJob job) {
    Path path = folder.resolve("processes.nc");
    Oracle.Outcome outcome = job.run(NetcdfRank.class, path.toString());
    assertThat(outcome.exitCode()).as(outcome.text()).isZero();
    NetcdfConnectorsTest.requireRanks(path, job.ranks());
  }
}
