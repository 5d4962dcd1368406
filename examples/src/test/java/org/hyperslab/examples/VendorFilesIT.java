package org.hyperslab.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.MpiJob;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that this project's MPI-IO and the MPI library's own write the same bytes for every
 * example.
 */
final class VendorFilesIT {

  /** The ways in which the ranks access files: collectively, independently, nonblocking. */
  private static final List<String> WAYS =
      Effort.isFull() ? List.of("together", "alone", "started") : List.of("together");

  /** Eleven kernels in each way, one of them with two files, and the three files of FLASH I/O. */
  private static final int FILES_OF_KERNELS = 12 * WAYS.size() + 3;

  /** How many variants of the segmentation run; GaborSegmentationTest compares all of them. */
  private static final int VARIANTS = Effort.times(1, 3);

  /** The image, and for each variant twelve textures and the labels. */
  private static final int FILES_OF_GABOR = 1 + VARIANTS * 13;

  @TempDir private Path folder;

  static List<MpiJob> jobs() {
    return MpiJob.ofOne("mpich");
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void everyExampleLeavesTheSameBytes(MpiJob job) throws IOException {
    run(job, "own");
    run(job, "vendor");
    Path own = folder.resolve("own");
    List<Path> files;
    try (Stream<Path> found = Files.walk(own)) {
      files = found.filter(Files::isRegularFile).toList();
    }
    assertThat(files).hasSize(FILES_OF_KERNELS + FILES_OF_GABOR);
    for (Path file : files) {
      Path vendors = folder.resolve("vendor").resolve(own.relativize(file));
      assertThat(Files.mismatch(file, vendors))
          .as("first byte that differs in %s", file)
          .isEqualTo(-1);
    }
  }

  private void run(MpiJob job, String io) {
    Oracle.Outcome said =
        job.run(
                ExamplesRank.class,
                folder.resolve(io).toString(),
                io,
                String.join(",", WAYS),
                Integer.toString(VARIANTS))
            .orFail();
    assertThat(said.output().lines().filter(line -> line.contains("done"))).hasSize(job.ranks());
  }
}
