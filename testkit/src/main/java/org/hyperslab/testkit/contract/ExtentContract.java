package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hyperslab.Dataset;
import org.hyperslab.Memory;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.Layout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests datasets that grow and shrink. */
abstract class ExtentContract extends ContractBase {

  private static final long U = Dataspace.UNLIMITED;

  ExtentContract() {}

  private Dataset create(long[] dims, long[] maxDims, DatasetOptions.Builder options) {
    FillValue fill = new FillValue.Value(Datatypes.NATIVE_INT, Memory.of(-1).data());
    return file()
        .datasetBuilder("d")
        .type(Datatypes.I32LE)
        .shape(dims)
        .maxShape(maxDims)
        .options(options.fill(fill).build())
        .create();
  }

  static Stream<Arguments> changes() {
    return Stream.of(
            new long[][] {{4, 6}, {9, 6}},
            new long[][] {{4, 6}, {4, 11}},
            new long[][] {{4, 6}, {9, 11}},
            new long[][] {{9, 11}, {4, 6}},
            new long[][] {{9, 11}, {9, 2}},
            new long[][] {{9, 11}, {1, 11}},
            new long[][] {{9, 11}, {0, 11}},
            new long[][] {{0, 0}, {5, 5}},
            new long[][] {{4, 6}, {4, 6}},
            new long[][] {{7, 5}, {5, 7}},
            new long[][] {{2, 2}, {40, 50}})
        .flatMap(change ->
            Stream.of(false, true).map(deflated -> Arguments.of(change[0], change[1], deflated)));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void keptElementsRemainAndNewElementsAreFill(long[] before, long[] after, boolean deflated) {
    DatasetOptions.Builder options = DatasetOptions.chunked(3, 4);
    Dataset dataset = create(before, new long[] {U, U}, deflated ? options.deflate(3) : options);
    int count = (int) (before[0] * before[1]);
    dataset.write(IntStream.range(0, count).toArray());
    dataset.setExtent(after);
    inBothLives(file -> {
      Dataset again = file.dataset("d");
      assertThat(again.shape()).containsExactly(after);
      int[] values = again.readInts();
      for (int i = 0; i < values.length; i++) {
        long row = i / after[1];
        long column = i % after[1];
        boolean kept = row < before[0] && column < before[1];
        assertThat(values[i]).isEqualTo(kept ? (int) (row * before[1] + column) : -1);
      }
    });
  }

  @Test
  void removedElementsDoNotReappear() {
    Dataset dataset = create(new long[] {10}, new long[] {U}, DatasetOptions.chunked(4));
    dataset.write(IntStream.range(0, 10).toArray());
    dataset.setExtent(3);
    dataset.setExtent(10);
    inBothLives(file ->
        assertThat(file.dataset("d").readInts())
            .containsExactly(0, 1, 2, -1, -1, -1, -1, -1, -1, -1));
  }

  static Stream<Arguments> maxima() {
    return Stream.of(
        Arguments.of(new long[] {20, 20}, "fixed"),
        Arguments.of(new long[] {U, 20}, "first unlimited"),
        Arguments.of(new long[] {20, U}, "last unlimited"),
        Arguments.of(new long[] {U, U}, "both unlimited"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("maxima")
  void extentsGrowUnderEveryKindOfMaximum(long[] maxDims, String name) {
    assertThat(name).isNotEmpty();
    Dataset dataset = create(new long[] {1, 1}, maxDims, DatasetOptions.chunked(2, 3));
    int[][] expected = new int[20][20];
    for (int size = 1; size <= 20; size++) {
      dataset.setExtent(size, size);
      int[] row = new int[size];
      Arrays.fill(row, size);
      dataset.slice((size - 1) + ", :").write(row);
      Arrays.fill(expected[size - 1], -1);
      Arrays.fill(expected[size - 1], 0, size, size);
    }
    inBothLives(file -> assertThat(file.dataset("d").read(int[][].class)).isDeepEqualTo(expected));
  }

  @Test
  void appendsAcrossHundredsOfChunksAreKept() {
    Dataset dataset = create(new long[] {0}, new long[] {U}, DatasetOptions.chunked(2));
    for (int i = 0; i < 60; i++) {
      dataset.append(new int[] {i, -i, 2 * i, 3, 4, 5, 6, 7, 8, 9});
    }
    inBothLives(file -> {
      int[] values = file.dataset("d").readInts();
      assertThat(values).hasSize(600);
      for (int i = 0; i < 60; i++) {
        assertThat(values[10 * i]).isEqualTo(i);
        assertThat(values[10 * i + 9]).isEqualTo(9);
      }
    });
  }

  @Test
  void appendAddsRows() {
    Dataset dataset = create(new long[] {0, 3}, new long[] {U, 3}, DatasetOptions.chunked(2, 3));
    dataset.append(new int[] {1, 2, 3});
    dataset.append(new int[][] {{4, 5, 6}, {7, 8, 9}});
    inBothLives(file ->
        assertThat(file.dataset("d").read(int[][].class))
            .isDeepEqualTo(new int[][] {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}));
    reopenForEdit();
    fails(InvalidUseException.class, () -> file().dataset("d").append(new int[] {1, 2}), "3");
  }

  @Test
  void datasetsThatHoldAValueCanGrow() {
    Dataset dataset =
        file()
            .datasetBuilder("d")
            .value(new int[][] {{1, 2, 3}})
            .maxShape(U, 3)
            .options(options -> options.chunked(2, 3))
            .create();
    dataset.append(new int[] {4, 5, 6});
    inBothLives(file -> {
      assertThat(file.dataset("d").space().maxDims()).containsExactly(U, 3);
      assertThat(file.dataset("d").read(int[][].class))
          .isDeepEqualTo(new int[][] {{1, 2, 3}, {4, 5, 6}});
    });
  }

  @Test
  void maximumShapesThatDoNotFitAValueAreRefused() {
    int[][] value = {{1, 2, 3}};
    long[][] wrong = {{U}, {1, 2}, null};
    for (long[] maxShape : wrong) {
      fails(
          InvalidUseException.class,
          () -> file().datasetBuilder("d").value(value).maxShape(maxShape).create());
    }
    assertThat(file().exists("d")).isFalse();
  }

  @Test
  void growthBeyondTheMaximumIsRefused() {
    Dataset dataset = create(new long[] {2, 2}, new long[] {4, U}, DatasetOptions.chunked(2, 2));
    fails(InvalidUseException.class, () -> dataset.setExtent(5, 2), "4");
    assertThat(dataset.shape()).containsExactly(2, 2);
    dataset.setExtent(4, 100);
    assertThat(dataset.shape()).containsExactly(4, 100);
  }

  @Test
  void anotherRankIsRefused() {
    Dataset dataset = create(new long[] {2, 2}, new long[] {U, U}, DatasetOptions.chunked(2, 2));
    fails(InvalidUseException.class, () -> dataset.setExtent(5), "rank");
    fails(InvalidUseException.class, () -> dataset.setExtent(5, 5, 5), "rank");
  }

  @Test
  void datasetsThatAreNotChunkedKeepTheirExtent() {
    Dataset dataset =
        file()
            .datasetBuilder("d")
            .type(Datatypes.I32LE)
            .shape(3)
            .options(DatasetOptions.builder().layout(new Layout.Contiguous()).build())
            .create();
    fails(InvalidUseException.class, () -> dataset.setExtent(2), "chunked");
  }

  @Test
  void extendibleExtentsNeedChunks() {
    Dataspace space = Dataspace.simple(new long[] {3}, new long[] {U});
    fails(
        InvalidUseException.class,
        () ->
            file()
                .datasetBuilder("d")
                .type(Datatypes.I32LE)
                .space(space)
                .options(DatasetOptions.builder().layout(new Layout.Contiguous()).build())
                .create(),
        "chunked");
    assertThat(file().exists("d")).isFalse();
  }

  @Test
  void automaticLayoutChoosesChunksForExtendibleExtents() {
    Dataspace space = Dataspace.simple(new long[] {3, 4}, new long[] {U, U});
    Dataset dataset = file().createDataset("d", Datatypes.I32LE, space);
    dataset.write(new int[12]);
    dataset.setExtent(5, 6);
    inBothLives(file -> assertThat(file.dataset("d").readInts()).hasSize(30).containsOnly(0));
  }

  @Test
  void twoOpenDatasetsSeeTheSameExtent() {
    Dataset one = create(new long[] {2}, new long[] {U}, DatasetOptions.chunked(2));
    Dataset two = file().dataset("d");
    one.setExtent(5);
    assertThat(two.shape()).containsExactly(5);
    two.write(new int[] {1, 2, 3, 4, 5});
    assertThat(one.readInts()).containsExactly(1, 2, 3, 4, 5);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 7, 64})
  void maximumMayEqualTheExtent(long size) {
    Dataset dataset =
        create(new long[] {size}, new long[] {size}, DatasetOptions.chunked(Math.max(1, size / 2)));
    assertThat(dataset.space().isExtendible()).isFalse();
    inBothLives(file -> assertThat(file.dataset("d").shape()).containsExactly(size));
  }
}
