package org.hyperslab.plugins.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random programs under the mpirun of Open MPI and MPICH: our MPI-IO and the library's own leave
 * what the model says, hence the same. With the system property {@code hyperslab.strict} a missing
 * MPI is a failure.
 */
final class MpiFileRunIT {

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "openmpi, 3, io=own",
    "openmpi, 2, io=own progress=wait sharedfp=lockedfile",
    "openmpi, 3, io=vendor",
    "openmpi, 3, io=own romio_ds_write=enable hyperslab_collective=individual",
    "mpich, 2, io=own",
    "mpich, 2, io=vendor",
    "mpich, 2, io=vendor romio_cb_write=enable romio_cb_read=enable"
  })
  void randomProgramsDoWhatTheModelDoes(String mpi, int ranks, String hints)
      throws IOException, InterruptedException {
    boolean there = Files.isExecutable(Path.of("/usr/bin", "mpirun." + mpi));
    if (Boolean.getBoolean("hyperslab.strict")) {
      assertThat(there).as("mpirun." + mpi).isTrue();
    }
    Assumptions.assumeTrue(there, () -> "mpirun." + mpi + " is not installed");
    boolean fresh = Boolean.getBoolean("hyperslab.fresh");
    String seed = Long.toString(fresh ? Seeds.draw() : Long.getLong(Seeds.PROPERTY, 1));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command(mpi, ranks, hints, seed))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(120, TimeUnit.SECONDS);
    process.destroy(); // mpirun then ends its ranks
    String said = Files.readString(output);
    assertThat(ended).as("end of the run with seed %s: %s", seed, said).isTrue();
    assertThat(process.exitValue()).as("seed %s: %s", seed, said).isZero();
    assertThat(said.lines().filter(line -> line.contains("done"))).as(said).hasSize(ranks);
  }

  private List<String> command(String mpi, int ranks, String hints, String seed)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("mpirun." + mpi, "-n", "" + ranks));
    if (mpi.equals("openmpi")) {
      command.addAll(List.of("--allow-run-as-root", "--oversubscribe", "--bind-to", "none"));
    }
    Path files = Files.createDirectory(folder.resolve("files"));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    command.addAll(List.of(java, "-Xmx256m", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(FileRank.class.getName(), files.toString(), hints, seed, "10", "40"));
    return command;
  }
}
