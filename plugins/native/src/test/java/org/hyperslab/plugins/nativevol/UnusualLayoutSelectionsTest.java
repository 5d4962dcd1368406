package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests selections of another rank than the dataset's, and outside its extent, in the layouts that
 * the contract of connectors does not have: virtual with and without sources, and external.
 */
final class UnusualLayoutSelectionsTest {

  private static final List<Selection> OF_OTHER_RANKS =
      List.of(
          Selection.box(new long[] {0}, new long[] {4}),
          Selection.points(1, 2),
          Selection.box(new long[] {0, 0, 0}, new long[] {1, 2, 2}),
          Selection.points(3, 0, 0, 0),
          Selection.box(new long[] {0}, new long[] {2})
              .or(Selection.box(new long[] {3}, new long[] {1})));

  private static final List<Selection> OUTSIDE =
      List.of(
          Selection.box(new long[] {3, 0}, new long[] {2, 1}),
          Selection.points(2, 0, 0, 9, 9),
          Selection.box(new long[] {0, 0}, new long[] {1, 1})
              .or(Selection.box(new long[] {7, 7}, new long[] {1, 1})));

  @TempDir private Path folder;
  private Path path;

  @BeforeEach
  void createFile() {
    path = folder.resolve("f.h5");
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("source", new int[4][6]);
      virtual(file, "present", ".", "source");
      virtual(file, "missing", "nowhere.h5", "source");
      virtual(file, "gone", ".", "gone");
      create(file, "unmapped", new Layout.Virtual(List.of()));
      create(
          file,
          "external",
          new Layout.External(List.of(new Layout.External.Segment("raw", 0, 96))));
      file.createDataset("scalar", 1);
    }
  }

  private static void virtual(H5File file, String name, String sourceFile, String source) {
    create(
        file,
        name,
        new Layout.Virtual(
            List.of(
                new Layout.Virtual.Mapping(
                    Selection.all(),
                    sourceFile,
                    source,
                    Dataspace.simple(4, 6),
                    Selection.all()))));
  }

  private static void create(H5File file, String name, Layout layout) {
    DatasetOptions options = DatasetOptions.builder().layout(layout).build();
    file.datasetBuilder(name).type(Datatypes.I32LE).shape(4, 6).options(options).create();
  }

  private static int countOf(Selection selection) {
    long[] large = new long[selection.rank()];
    Arrays.fill(large, 100);
    return (int) selection.elementCount(large);
  }

  @Test
  void selectionsOfAnotherRankAreRefused() {
    try (H5File file = Hdf5.openForEdit(path.toString())) {
      for (String name :
          List.of("source", "present", "missing", "gone", "unmapped", "external", "scalar")) {
        Dataset dataset = file.dataset(name);
        for (Selection wrong : OF_OTHER_RANKS) {
          String what = name + " " + wrong;
          assertThatThrownBy(() -> dataset.readInts(wrong))
              .as(what)
              .isInstanceOf(InvalidUseException.class)
              .hasMessageContaining("rank");
          assertThatThrownBy(() -> dataset.write(wrong, new int[countOf(wrong)]))
              .as(what)
              .isInstanceOf(InvalidUseException.class)
              .hasMessageContaining("rank");
        }
      }
    }
  }

  @Test
  void selectionsOutsideTheExtentAreRefused() {
    try (H5File file = Hdf5.openForEdit(path.toString())) {
      for (String name : List.of("source", "present", "missing", "gone", "unmapped", "external")) {
        Dataset dataset = file.dataset(name);
        for (Selection wrong : OUTSIDE) {
          String what = name + " " + wrong;
          assertThatThrownBy(() -> dataset.readInts(wrong))
              .as(what)
              .isInstanceOf(InvalidUseException.class)
              .hasMessageContaining("below the extent");
          assertThatThrownBy(() -> dataset.write(wrong, new int[countOf(wrong)]))
              .as(what)
              .isInstanceOf(InvalidUseException.class)
              .hasMessageContaining("below the extent");
        }
      }
      assertThat(file.dataset("source").readInts()).containsOnly(0);
    }
  }
}
