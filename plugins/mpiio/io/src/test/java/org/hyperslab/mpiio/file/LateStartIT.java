package org.hyperslab.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.MpiJob;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that testing a started access does not wait for processes that start it later. */
final class LateStartIT {

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"openmpi, 3", "mpich, 2"})
  void testsDoNotWaitForRanksThatStartLater(String mpi, int ranks) {
    List<String> arguments =
        new ArrayList<>(
            List.of(folder.toString(), "progress=wait", "progress=thread", "io=vendor"));
    if (Effort.isFull() || mpi.equals("mpich")) {
      arguments.add("progress=engine hyperslab_shared_memory=disable");
      arguments.add("progress=wait hyperslab_requests=io_uring hyperslab_shared_memory=disable");
      arguments.add(
          "progress=wait romio_cb_write=enable romio_cb_read=enable"
              + " hyperslab_shared_memory=disable");
    }
    Oracle.Outcome said =
        new MpiJob(mpi, ranks).run(LateStartRank.class, arguments.toArray(String[]::new));
    assertThat(said.exitCode()).as(said.text()).isZero();
    assertThat(said.output().lines().filter(line -> line.contains("done")))
        .as(said.text())
        .hasSize(ranks);
  }
}
