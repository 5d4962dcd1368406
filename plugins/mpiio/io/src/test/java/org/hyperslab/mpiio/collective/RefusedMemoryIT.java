package org.hyperslab.mpiio.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.hyperslab.testkit.MpiJob;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that ranks send messages if the kernel denies access to the memory of other processes. */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
final class RefusedMemoryIT {

  @TempDir private Path folder;

  static List<MpiJob> jobs() {
    return MpiJob.ofOne("openmpi");
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void ranksWithoutMemoryAccessSendMessages(MpiJob job) {
    Oracle.Outcome said = job.run(RefusedMemoryRank.class, folder.toString()).orFail();
    assertThat(said.output().lines().filter(line -> line.contains("done"))).hasSize(job.ranks());
  }
}
