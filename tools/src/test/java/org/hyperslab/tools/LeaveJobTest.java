package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests that a process which the launcher starts under mpirun is not a rank of that job, as it
 * would wait for the others.
 */
final class LeaveJobTest {

  private static final Path SCRIPT =
      Path.of(System.getProperty("hyperslab.root"), "tools/src/build/leave-job.sh");

  /** The environment variables by which Open MPI, MPICH and a batch system identify ranks. */
  private static final List<String> TOLD =
      List.of(
          "OMPI_COMM_WORLD_SIZE",
          "OMPI_COMM_WORLD_LOCAL_SIZE",
          "OMPI_MCA_ess_base_jobid",
          "PMIX_RANK",
          "PMI_RANK",
          "PMI_SIZE",
          "MPI_LOCALNRANKS",
          "HYDI_CONTROL_FD");

  @Test
  void environmentOfTheJobIsRemoved() throws IOException, InterruptedException {
    ProcessBuilder shell =
        new ProcessBuilder("bash", "-c", ". \"$0\" && leave_job && env", SCRIPT.toString())
            .redirectErrorStream(true);
    TOLD.forEach(name -> shell.environment().put(name, "4"));
    shell.environment().put("HYPERSLAB_KEPT", "yes");

    Process process = shell.start();
    List<String> left =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .map(line -> line.replaceAll("=.*", ""))
            .toList();

    assertThat(process.waitFor()).isZero();
    assertThat(left).contains("PATH", "HYPERSLAB_KEPT").doesNotContainAnyElementsOf(TOLD);
  }
}
