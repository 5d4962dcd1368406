package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.Layout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How far virtual datasets without a fixed extent reach (H5Dvirtual.c, min_dims). */
final class VirtualExtentTest {

  private static final long[] UNLIMITED = {Selection.UNLIMITED};
  private static final long[] ONE = {1};

  @TempDir private Path folder;

  @Test
  void anExtentCoversLimitedMappingsToo() {
    Path path = folder.resolve("virtual.h5");
    Selection all = Selection.hyperslab(new long[] {0}, ONE, UNLIMITED, ONE);
    Selection two = Selection.box(new long[] {0}, new long[] {2});
    Selection later = Selection.box(new long[] {5}, new long[] {2});
    Layout virtual =
        new Layout.Virtual(
            List.of(
                new Layout.Virtual.Mapping(all, ".", "/growing", Dataspace.simple(3), all),
                new Layout.Virtual.Mapping(later, ".", "/fixed", Dataspace.simple(2), two)));
    CreateOptions modern = CreateOptions.DEFAULT.withBounds(FormatVersion.V110, FormatVersion.V110);
    try (H5File file = Hdf5.create(path, modern)) {
      file.createDataset(
              "growing",
              Datatypes.I32LE,
              Dataspace.simple(new long[] {3}, UNLIMITED),
              DatasetOptions.chunked(4).build())
          .write(new int[] {1, 2, 3});
      file.createDataset("fixed", new int[] {8, 9});
      file.createDataset(
          "v",
          Datatypes.I32LE,
          Dataspace.simple(new long[] {3}, UNLIMITED),
          DatasetOptions.builder().layout(virtual).build());
    }
    try (H5File file = Hdf5.open(path)) {
      assertThat(file.dataset("v").readInts()).containsExactly(1, 2, 3, 0, 0, 8, 9);
    }
  }
}
