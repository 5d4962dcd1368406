package org.hyperslab.netcdf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies random files of netCDF-C through the model, and has netCDF-C compare the copies. */
final class NetcdfRandomTest {

  @TempDir Path folder;

  @Test
  void filesThatNetcdfMadeAreCopiedEqual() throws IOException {
    copyAll(12);
  }

  @Test
  @Campaign
  void hundredsOfFilesThatNetcdfMadeAreCopiedEqual() throws IOException {
    copyAll(1000);
  }

  private void copyAll(int count) throws IOException {
    long seed = Seeds.draw();
    NetcdfJudge.run("make", folder.toString(), Long.toString(seed), Integer.toString(count));
    Files.createDirectory(folder.resolve("out"));
    for (Path in : files(folder.resolve("in"))) {
      try (NetcdfFile from = NetcdfFile.open(in);
          NetcdfFile to =
              NetcdfFile.create(folder.resolve("out").resolve(in.getFileName()), from.model())) {
        ModelCopier.copy(from.root(), to.root());
        assertThat(from.leftOut()).isEmpty();
      } catch (RuntimeException failure) {
        throw new AssertionError("seed " + seed + ", file " + in.getFileName(), failure);
      }
    }
    assertThat(NetcdfJudge.run("check", folder.toString()).strip())
        .as("seed %d", seed)
        .isEqualTo(Integer.toString(count));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.sorted().toList();
    }
  }
}
