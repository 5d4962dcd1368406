package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests copies of raw data that several threads share, with h5diff where another program can read
 * them.
 */
final class RawCopyTest {

  /** Several strips of a MiB, the last one of an odd length. */
  private static final int BYTES = (5 << 20) + 3;

  @TempDir private Path folder;

  private static byte[] random() {
    byte[] values = new byte[BYTES];
    Random random = Seeds.random(Seeds.draw(), 0);
    random.nextBytes(values);
    return values;
  }

  @Test
  void copiesContiguousDataAndLargeFilteredChunksAsTheyAre() {
    Path from = folder.resolve("from.h5");
    Path to = folder.resolve("to.h5");
    byte[] values = random();
    try (H5File source = Hdf5.create(from);
        H5File target = Hdf5.create(to)) {
      Dataset plain = source.createDataset("plain", values);
      Dataset chunks =
          source
              .datasetBuilder("chunks")
              .value(values)
              .options(DatasetOptions.chunked(BYTES / 2 + 1).deflate(1).build())
              .create();
      plain.copyTo(target.root(), "plain");
      chunks.copyTo(target.root(), "chunks");
      plain.copyTo(source.root(), "again");
    }
    try (H5File source = Hdf5.open(from);
        H5File target = Hdf5.open(to)) {
      assertThat(source.dataset("again").readBytes()).isEqualTo(values);
      assertThat(target.dataset("plain").readBytes()).isEqualTo(values);
      assertThat(target.dataset("chunks").readBytes()).isEqualTo(values);
    }
    for (String name : new String[] {"plain", "chunks"}) {
      assertThat(Oracle.h5diff().run(from.toString(), to.toString(), name, name).exitCode())
          .as("h5diff of %s", name)
          .isZero();
    }
  }

  @Test
  void copiesTheBytesOfASourceThatEndsWithinItsData() {
    Path from = folder.resolve("short.h5");
    byte[] head = new byte[(3 << 20) / 2];
    Seeds.random(Seeds.draw(), 1).nextBytes(head);
    DatasetOptions early =
        DatasetOptions.builder()
            .allocationTime(AllocationTime.EARLY)
            .fillTime(FillValue.Time.NEVER)
            .build();
    try (H5File source = Hdf5.create(from);
        H5File target = Hdf5.create(folder.resolve("target.h5"))) {
      Dataset written =
          source.datasetBuilder("early").type(Datatypes.I8LE).shape(BYTES).options(early).create();
      written.slice("0:" + head.length).write(head);
      written.copyTo(target.root(), "copy");
      byte[] expected = Arrays.copyOf(head, BYTES);
      assertThat(target.dataset("copy").readBytes()).isEqualTo(expected);
      assertThat(written.readBytes()).isEqualTo(expected);
    }
  }
}
