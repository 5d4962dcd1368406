package org.hyperslab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.Test;

/** Tests with random files of netCDF-C that xarray reads stores of Zarr as it reads the files. */
final class NetcdfStoresRandomTest {

  private static final int BATCH = 10;

  @Test
  void indexAndServerAreReadAsTheFile() throws IOException {
    long seed = Seeds.draw();
    int all = Effort.times(8, 60);
    for (int first = 0; first < all; first += BATCH) {
      compare(seed, first, Math.min(BATCH, all - first));
    }
  }

  private static void compare(long seed, int first, int count) throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.create("netcdf")) {
      StoresJudge.run(
          folder,
          "make",
          folder.path().toString(),
          Long.toString(seed),
          Integer.toString(first),
          Integer.toString(count));
      List<String> names =
          IntStream.range(first, first + count).mapToObj("%04d.nc"::formatted).toList();
      StoresJudge.Outcome outcome = StoresJudge.compare(folder.path(), names);
      assertThat(outcome.differences())
          .as("seed %d, files from %d: %s", seed, first, outcome.counts())
          .isEmpty();
      assertThat(outcome.counts()).contains("\"files\": " + count + ",");
    }
  }
}
