package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a file keeps its data if datasets are deleted while handles of them are open. */
final class KeptHandlesTest {

  private static final int LARGE = 20_000;
  private static final int STEPS = 28;

  /** Prints the name and the sum of each dataset of a file. */
  private static final String SUMS =
      "f = h5py.File(sys.argv[1])\n"
          + "print(','.join('%s=%d' % (n, int(f[n][...].sum())) for n in sorted(f)))";

  @TempDir private Path folder;

  @Test
  void spaceOfADatasetThatIsFreedByClosingIsNotCutOffAfterDataHasMovedThere() {
    Path path = folder.resolve("kept.h5");
    int[] elements = new int[LARGE];
    Arrays.fill(elements, 5);
    try (H5File file = Hdf5.create(path)) {
      Dataset kept = file.createDataset("old", elements);
      file.delete("old");
      file.createDataset("new", elements);
      file.flush();
      assertThat(kept.readInts()).isEqualTo(elements);
    }
    try (H5File file = Hdf5.open(path)) {
      assertThat(file.dataset("new").readInts()).isEqualTo(elements);
    }
    assertThat(LibraryJudge.python(SUMS, path)).isEqualTo("new=" + 5 * LARGE);
    assertThat(path.toFile().length()).isLessThan(2L * Integer.BYTES * LARGE);
  }

  @Test
  void randomProgramsLoseNothing() {
    Seeds.run(Effort.times(80, 2000), this::programLosesNothing);
  }

  private void programLosesNothing(Random random) {
    Path path = folder.resolve("random.h5");
    Program program = new Program(random);
    program.run(path);
    try (H5File file = Hdf5.open(path)) {
      assertThat(file.names()).containsExactlyInAnyOrderElementsOf(program.expected.keySet());
      program.expected.forEach(
          (name, elements) -> assertThat(file.dataset(name).readInts()).isEqualTo(elements));
    }
    if (random.nextInt(100) == 0) {
      assertThat(LibraryJudge.python(SUMS, path)).isEqualTo(program.sums());
    }
    path.toFile().delete();
  }

  /** A random program, and the elements that its file has afterwards. */
  private static final class Program {
    private final Random random;
    private final Map<String, int[]> expected = new TreeMap<>();
    private final List<Dataset> kept = new ArrayList<>();
    private int made;

    Program(Random random) {
      this.random = random;
    }

    void run(Path path) {
      Hdf5.create(path).close();
      H5File second = Hdf5.openForEdit(path);
      int closing = random.nextInt(STEPS);
      try (H5File file = Hdf5.openForEdit(path)) {
        for (int step = random.nextInt(STEPS); step >= 0; step--) {
          step(file, step);
          if (step == closing) {
            second.close();
          }
        }
        kept.stream().filter(_ -> random.nextBoolean()).forEach(Dataset::close);
      }
      second.close(); // closing twice has no effect
    }

    private void step(H5File file, int step) {
      switch (random.nextInt(7)) {
        case 0, 1 -> create(file);
        case 2, 3 -> write(file, step);
        case 4 -> delete(file);
        case 5 -> file.flush();
        default -> file.setAttribute("a" + random.nextInt(3), step);
      }
    }

    private void create(H5File file) {
      int[] elements = new int[random.nextInt(3) == 0 ? LARGE : 1 + random.nextInt(24)];
      Arrays.fill(elements, ++made);
      String name = "d" + made;
      kept.add(
          file.datasetBuilder(name).value(elements).options(options(elements.length)).create());
      expected.put(name, elements);
    }

    private DatasetOptions options(int length) {
      return switch (random.nextInt(4)) {
        case 0 -> DatasetOptions.chunked(1 + random.nextInt(Math.min(length, 64))).build();
        case 1 -> DatasetOptions.chunked(Math.min(length, 512)).deflate(1).build();
        case 2 -> DatasetOptions.builder().allocationTime(AllocationTime.EARLY).build();
        default -> DatasetOptions.DEFAULT;
      };
    }

    private void write(H5File file, int value) {
      if (expected.isEmpty()) {
        return;
      }
      String name = any();
      int[] elements = expected.get(name);
      int low = random.nextInt(elements.length);
      int high = low + 1 + random.nextInt(elements.length - low);
      Arrays.fill(elements, low, high, value);
      Dataset dataset = file.dataset(name);
      kept.add(dataset);
      dataset.write(
          Selection.box(new long[] {low}, new long[] {high - low}),
          Arrays.copyOfRange(elements, low, high));
    }

    private void delete(H5File file) {
      if (!expected.isEmpty()) {
        String name = any();
        file.delete(name);
        expected.remove(name);
      }
    }

    private String any() {
      return List.copyOf(expected.keySet()).get(random.nextInt(expected.size()));
    }

    String sums() {
      return expected.entrySet().stream()
          .map(each -> each.getKey() + "=" + Arrays.stream(each.getValue()).asLongStream().sum())
          .collect(Collectors.joining(","));
    }
  }
}
