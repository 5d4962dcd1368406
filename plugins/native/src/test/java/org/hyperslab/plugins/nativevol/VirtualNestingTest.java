package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.testkit.Effort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests virtual datasets whose sources are virtual datasets, to a limited depth and number. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class VirtualNestingTest {

  private static final long[] ONE = {1};

  @TempDir private Path folder;

  private Path path() {
    return folder.resolve("nested.h5");
  }

  private static Layout.Virtual.Mapping mapping(int index, String source, int sourceIndex) {
    return new Layout.Virtual.Mapping(
        Selection.box(new long[] {index}, ONE),
        ".",
        source,
        Dataspace.simple(sourceIndex + 1),
        Selection.box(new long[] {sourceIndex}, ONE));
  }

  private static void create(
      H5File file, String name, Dataspace space, List<Layout.Virtual.Mapping> mappings) {
    DatasetOptions options = DatasetOptions.builder().layout(new Layout.Virtual(mappings)).build();
    file.datasetBuilder(name).type(Datatypes.I32LE).space(space).options(options).create().close();
  }

  @Test
  void sourcesMayBeVirtual() {
    try (H5File file = Hdf5.create(path())) {
      file.createDataset("v0", new int[] {7}).close();
      for (int level = 1; level <= 15; level++) {
        create(file, "v" + level, Dataspace.simple(1), List.of(mapping(0, "v" + (level - 1), 0)));
      }
      assertThat(file.dataset("v15").readInts()).containsExactly(7);
      create(
          file,
          "inner",
          Dataspace.simple(300),
          IntStream.range(0, 300).mapToObj(i -> mapping(i, "v0", 0)).toList());
      create(
          file,
          "outer",
          Dataspace.simple(300),
          IntStream.range(0, 300).mapToObj(i -> mapping(i, "inner", i)).toList());
      assertThat(file.dataset("outer").readInts()).hasSize(300).containsOnly(7);
    }
  }

  @Test
  void sourcesThatMultiplyAtEachDepthAreRefused() {
    try (H5File file = Hdf5.create(path())) {
      file.createDataset("v0", new int[] {7}).close();
      for (int level = 1; level <= 15; level++) {
        create(
            file,
            "v" + level,
            Dataspace.simple(1),
            Collections.nCopies(10, mapping(0, "v" + (level - 1), 0)));
      }
      assertThat(file.dataset("v3").readInts()).containsExactly(7);
      assertThatThrownBy(() -> file.dataset("v15").readInts())
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("sources of sources");
      if (Effort.isFull()) { // writes are limited by the same count, and take as long to reach it
        assertThatThrownBy(() -> file.dataset("v15").write(new int[] {8}))
            .isInstanceOf(InvalidUseException.class)
            .hasMessageContaining("sources of sources");
      }
    }
  }

  @Test
  void cyclesAreRefused() {
    try (H5File file = Hdf5.create(path())) {
      create(file, "a", Dataspace.simple(1), List.of(mapping(0, "b", 0)));
      create(file, "b", Dataspace.simple(1), List.of(mapping(0, "a", 0)));
      assertThatThrownBy(() -> file.dataset("a").readInts())
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("nested virtual datasets");
    }
  }

  /** The extent of such datasets follows from their sources, which are therefore followed too. */
  @Test
  void cyclesOfUnlimitedMappingsAreRefused() {
    Selection all = Selection.hyperslab(new long[] {0}, ONE, ONE, new long[] {Selection.UNLIMITED});
    Dataspace unlimited = Dataspace.simple(ONE, new long[] {Dataspace.UNLIMITED});
    try (H5File file = Hdf5.create(path())) {
      for (String name : List.of("ab", "ba")) {
        String other = new StringBuilder(name).reverse().toString();
        create(
            file,
            name,
            unlimited,
            List.of(new Layout.Virtual.Mapping(all, ".", other, unlimited, all)));
      }
    }
    try (H5File file = Hdf5.open(path())) {
      assertThatThrownBy(() -> file.dataset("ab").readInts())
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("nested virtual datasets");
    }
  }
}
