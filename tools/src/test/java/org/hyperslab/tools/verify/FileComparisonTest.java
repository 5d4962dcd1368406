package org.hyperslab.tools.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileComparisonTest {

  @TempDir private Path folder;

  @Test
  void namesTheElementThatDiffers() {
    write("a.h5", new int[][] {{1, 2, 3}, {4, 5, 6}});
    write("b.h5", new int[][] {{1, 2, 3}, {4, 7, 6}});
    assertThat(compare("a.h5", "b.h5")).containsExactly("/d: element [1, 1]: 5 and 7");
  }

  @Test
  void findsNoDifferenceBetweenEqualFiles() {
    write("a.h5", new double[] {1, Double.NaN});
    write("b.h5", new double[] {1, Double.NaN});
    assertThat(compare("a.h5", "b.h5")).isEmpty();
  }

  @Test
  void namesObjectsThatOnlyOneFileHas() {
    write("a.h5", new int[] {1});
    try (H5File file = Hdf5.create(folder.resolve("b.h5"))) {
      file.createGroup("g");
    }
    assertThat(compare("a.h5", "b.h5"))
        .containsExactly("/d: only in the first", "/g: only in the second");
  }

  private void write(String name, Object value) {
    try (H5File file = Hdf5.create(folder.resolve(name))) {
      file.createDataset("d", value);
    }
  }

  private List<String> compare(String first, String second) {
    List<String> differences = new ArrayList<>();
    try (H5File a = Hdf5.open(folder.resolve(first));
        H5File b = Hdf5.open(folder.resolve(second))) {
      FileComparison.Side one = new FileComparison.Side("one", a);
      FileComparison.Side two = new FileComparison.Side("two", b);
      new FileComparison(one, two, differences::add, differences::add).compare("/", "/");
    }
    return differences;
  }
}
