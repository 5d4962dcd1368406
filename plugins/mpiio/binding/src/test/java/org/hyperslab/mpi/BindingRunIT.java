package org.hyperslab.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.hyperslab.testkit.MpiJob;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the binding's checks in real MPI processes under both launchers. */
final class BindingRunIT {

  @TempDir private Path folder;

  static List<MpiJob> jobs() {
    return MpiJob.ofBoth();
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void bindingChecksPassUnderMpirun(MpiJob job) {
    Oracle.Outcome outcome = job.run(BindingRank.class, folder.toString());
    assertThat(outcome.exitCode()).as(outcome.text()).isZero();
    for (int rank = 0; rank < job.ranks(); rank++) {
      assertThat(outcome.text()).contains("done rank " + rank);
    }
  }
}
