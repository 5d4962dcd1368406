package org.hyperslab.mpiio.declared;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.hyperslab.testkit.MpiJob;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests declared writes of ranks that are processes. */
final class DeclaredWritesIT {

  @TempDir private Path folder;

  static List<MpiJob> jobs() {
    return MpiJob.ofOne("mpich");
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void declaredWritesOfProcessesAreInTheFile(MpiJob job) {
    String file = folder.resolve("declared.dat").toString();
    Oracle.Outcome said = job.run(DeclaredWritesRank.class, file).orFail();
    assertThat(said.output().lines().filter(line -> line.contains("done"))).hasSize(job.ranks());
  }
}
