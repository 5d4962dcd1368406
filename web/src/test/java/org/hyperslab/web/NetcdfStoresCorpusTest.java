package org.hyperslab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.testkit.Corpus;
import org.junit.jupiter.api.Test;

/** Tests with netCDF-4 files of other programs that xarray reads stores of Zarr as the files. */
final class NetcdfStoresCorpusTest {

  private static final byte[] HDF5 = {(byte) 0x89, 'H', 'D', 'F'};

  /**
   * A variable of it was written shorter than its second axis: netCDF-C returns what happens to be
   * in memory for the rest, another value at each reading.
   */
  private static final String WITH_GARBAGE = "real/compliance-checker_bad_missing_data.nc";

  /** Larger files take the judge seconds each. */
  private static final long MOST_BYTES = 1 << 20;

  @Test
  void indexAndServerAreReadAsTheFile() throws IOException {
    List<String> names =
        Stream.of(".nc", ".nc4")
            .flatMap(suffix -> Corpus.files("", suffix).stream())
            .filter(NetcdfStoresCorpusTest::isNetcdf4)
            .map(file -> Corpus.folder().relativize(file).toString())
            .filter(name -> !name.equals(WITH_GARBAGE))
            .sorted()
            .toList();
    assertThat(names).isNotEmpty();
    StoresJudge.Outcome outcome = StoresJudge.compare(Corpus.folder(), names);
    assertThat(outcome.differences()).as(outcome.counts()).isEmpty();
  }

  private static boolean isNetcdf4(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return Files.size(file) <= MOST_BYTES && Arrays.equals(in.readNBytes(HDF5.length), HDF5);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
