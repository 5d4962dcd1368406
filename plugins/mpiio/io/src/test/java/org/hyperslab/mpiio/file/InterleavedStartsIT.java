package org.hyperslab.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.MpiJob;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that several collective writes in progress, whose extents interleave with holes between
 * them, leave the bytes that the MPI library's own blocking writes leave.
 */
final class InterleavedStartsIT {

  /** The ways in which started writes go: shared memory or messages, few or all ranks aggregate. */
  private static final List<String> HINTS =
      List.of(
          "progress=thread",
          "progress=wait romio_cb_write=enable romio_ds_write=enable",
          "progress=engine hyperslab_shared_memory=disable romio_cb_write=enable"
              + " cb_buffer_size=4096",
          "progress=wait hyperslab_shared_memory=disable hyperslab_collective=dynamic"
              + " cb_buffer_size=1000 cb_nodes=1",
          "progress=thread hyperslab_shared_memory=disable hyperslab_collective=static",
          "progress=wait hyperslab_collective=individual romio_ds_write=enable",
          "progress=thread hyperslab_requests=io_uring hyperslab_shared_memory=disable"
              + " hyperslab_collective=two-phase cb_nodes=2",
          "progress=wait hyperslab_transfer=list hyperslab_collective=individual");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"openmpi, 3", "mpich, 2"})
  void leaveTheBytesOfTheVendorsBlockingWrites(String mpi, int ranks) {
    boolean fresh = Boolean.getBoolean("hyperslab.fresh");
    String seed = Long.toString(fresh ? Seeds.draw() : Long.getLong(Seeds.PROPERTY, 1));
    List<String> arguments =
        new ArrayList<>(List.of(folder.toString(), seed, Integer.toString(Effort.times(2, 20))));
    arguments.addAll(HINTS);
    Oracle.Outcome said =
        new MpiJob(mpi, ranks).run(InterleavedStartsRank.class, arguments.toArray(String[]::new));
    assertThat(said.exitCode()).as("seed %s: %s", seed, said.text()).isZero();
    assertThat(said.output().lines().filter(line -> line.contains("done")))
        .as(said.text())
        .hasSize(ranks);
  }
}
