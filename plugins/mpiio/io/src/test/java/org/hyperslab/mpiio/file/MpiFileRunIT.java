package org.hyperslab.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.MpiJob;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs random programs under the mpirun of Open MPI and of MPICH, and compares the files of this
 * library's MPI-IO and of the MPI library's own with a model.
 */
final class MpiFileRunIT {

  private static final String PROGRAMS = Integer.toString(Effort.times(2, 10));

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"openmpi, 3, io=own", "mpich, 2, io=own"})
  void randomProgramsMatchTheModel(String mpi, int ranks, String hints) throws IOException {
    run(mpi, ranks, hints);
  }

  @Campaign
  @ParameterizedTest
  @CsvSource({
    "openmpi, 2, io=own progress=wait sharedfp=lockedfile",
    "openmpi, 3, io=own sharedfp=addproc",
    "openmpi, 2, io=own hyperslab_requests=io_uring romio_cb_write=enable",
    "mpich, 2, io=own sharedfp=sm",
    "openmpi, 3, io=vendor",
    "openmpi, 3, io=own romio_ds_write=enable hyperslab_collective=individual",
    "openmpi, 3, io=own romio_cb_write=enable romio_cb_read=enable hyperslab_assignment=reversed",
    "mpich, 2, io=vendor",
    "mpich, 2, io=vendor romio_cb_write=enable romio_cb_read=enable"
  })
  void isEqualWithOtherHints(String mpi, int ranks, String hints) throws IOException {
    run(mpi, ranks, hints);
  }

  private void run(String mpi, int ranks, String hints) throws IOException {
    boolean fresh = Boolean.getBoolean("hyperslab.fresh");
    String seed = Long.toString(fresh ? Seeds.draw() : Long.getLong(Seeds.PROPERTY, 1));
    Path files = Files.createDirectory(folder.resolve("files"));
    Oracle.Outcome said =
        new MpiJob(mpi, ranks).run(FileRank.class, files.toString(), hints, seed, PROGRAMS, "40");
    assertThat(said.exitCode()).as("seed %s: %s", seed, said.text()).isZero();
    assertThat(said.output().lines().filter(line -> line.contains("done")))
        .as(said.text())
        .hasSize(ranks);
  }
}
