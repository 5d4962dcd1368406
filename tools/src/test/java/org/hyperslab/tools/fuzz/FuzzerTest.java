package org.hyperslab.tools.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.testkit.fuzz.FileWalk;
import org.hyperslab.testkit.fuzz.FuzzOptions;
import org.hyperslab.testkit.fuzz.FuzzReport;
import org.hyperslab.testkit.fuzz.FuzzTarget;
import org.hyperslab.testkit.fuzz.Fuzzer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the fuzzer finds defects in defective targets. */
final class FuzzerTest {

  private static final int CASES = 100;

  @TempDir private Path folder;
  private Path seed;

  @BeforeEach
  void createSeed() {
    seed = folder.resolve("seed.h5");
    try (H5File file = Hdf5.create(seed)) {
      file.createDataset("d", new int[] {1, 2, 3});
    }
  }

  /** Fails if the signature was changed. */
  public static final class Failing implements FuzzTarget {
    @Override
    public void use(Path file) throws IOException {
      byte[] bytes = Files.readAllBytes(file);
      if (bytes.length > 1 && bytes[1] != 'H') {
        throw new IllegalStateException("planted");
      }
    }
  }

  /** Uses all memory if the file ends early. */
  public static final class Greedy implements FuzzTarget {
    @Override
    public void use(Path file) throws IOException {
      if (Files.size(file) < 200) {
        List<byte[]> all = new ArrayList<>();
        while (all.size() < 100_000) {
          all.add(new byte[1 << 20]);
        }
      }
    }
  }

  private FuzzReport run(Class<? extends FuzzTarget> target, boolean guided) {
    return Fuzzer.run(
        FuzzOptions.builder()
            .target(target.getName())
            .seeds(List.of(seed))
            .folder(folder.resolve("bad"))
            .seed(7)
            .cases(CASES)
            .seconds(600)
            .guided(guided)
            .build());
  }

  @Test
  void aFailureIsReportedOnceWithItsFile() {
    FuzzReport report = run(Failing.class, false);
    assertThat(report.cases()).isEqualTo(CASES);
    assertThat(report.failures()).hasSize(1);
    assertThat(report.failures().getFirst()).contains("failure", "IllegalStateException");
    assertThat(folder.resolve("bad").toFile().list()).anyMatch(name -> name.startsWith("bad-7-"));
  }

  @Test
  void aFullHeapIsReportedAndAnotherProcessGoesOn() {
    FuzzReport report = run(Greedy.class, false);
    assertThat(report.failures()).isNotEmpty().allMatch(each -> each.contains("memory"));
    assertThat(report.children()).isGreaterThan(1);
    assertThat(report.cases()).isEqualTo(CASES);
  }

  @Test
  void coverageLeadsToFilesThatCoverMore() {
    FuzzReport report = run(FileWalk.class, true);
    assertThat(report.edges()).isGreaterThan(500);
    assertThat(report.pool()).isPositive();
    assertThat(report.failures()).isEmpty();
  }
}
