package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FilterSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that filter parameters are checked when a dataset is created, whether the filter is
 * optional or not.
 */
class FilterParametersTest {

  @TempDir private Path folder;

  private static FilterSpec optional(int id, Integer... parameters) {
    return new FilterSpec(id, true, "", List.of(parameters));
  }

  static Stream<FilterSpec> refused() {
    return Stream.of(
        optional(1, 99),
        optional(1, -1),
        optional(1),
        optional(1, 5, 5),
        FilterSpec.of(1, 10),
        optional(4, 4, 33),
        optional(4, 4, 0),
        optional(4, 4, 7),
        optional(4, 4),
        optional(6, 7, 2),
        optional(6),
        optional(307, 10),
        optional(307, 0),
        optional(32001, 0, 0, 0, 0, 10, 1, 1),
        optional(32001, 0, 0, 0, 0, 5, 3, 1),
        optional(32001, 0, 0, 0, 0, 5, 1, 6),
        optional(32008, 7, 2),
        optional(32008, 8, 1));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void parametersOutOfRangeAreRefusedEvenIfTheFilterIsOptional(FilterSpec filter) {
    try (Session session = Hdf5.session(new NativeConnector());
        H5File file = session.create(folder.resolve("a.h5"))) {
      DatasetOptions options = DatasetOptions.chunked(10).filter(filter).build();
      assertThatThrownBy(
              () -> file.datasetBuilder("d").value(new int[100]).options(options).create())
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=");
      assertThat(file.exists("d")).isFalse();
    }
  }

  static Stream<Runnable> refusedByName() {
    return Stream.of(
        () -> FilterSpec.deflate(10),
        () -> FilterSpec.deflate(-1),
        () -> DatasetOptions.chunked(1).deflate(99),
        () -> FilterSpec.zstd(0),
        () -> DatasetOptions.chunked(1).zstd(23),
        () -> FilterSpec.blosc(FilterSpec.BloscCodec.ZSTD, 10));
  }

  @ParameterizedTest
  @MethodSource("refusedByName")
  void levelsOutOfRangeAreRefusedAtOnce(Runnable giving) {
    assertThatThrownBy(giving::run)
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("level: actual=");
  }

  @Test
  void namedFiltersCompressAndReadBack() {
    int[] values = IntStream.range(0, 20_000).map(i -> i / 7).toArray();
    List<FilterSpec> named =
        List.of(
            FilterSpec.deflate(6),
            FilterSpec.zstd(3),
            FilterSpec.lz4(),
            FilterSpec.lzf(),
            FilterSpec.blosc(FilterSpec.BloscCodec.LZ4, 5),
            FilterSpec.blosc(FilterSpec.BloscCodec.ZSTD, 5),
            FilterSpec.blosc(FilterSpec.BloscCodec.BLOSCLZ, 5));
    try (Session session = Hdf5.session(new NativeConnector());
        H5File file = session.create(folder.resolve("named.h5"))) {
      for (FilterSpec filter : named) {
        String name = filter.name() + named.indexOf(filter);
        DatasetOptions options = DatasetOptions.chunked(20_000).filter(filter).build();
        Dataset dataset = file.datasetBuilder(name).value(values).options(options).create();
        file.flush();
        assertThat(dataset.readInts()).containsExactly(values);
        assertThat(dataset.chunks().toList().getFirst().storedBytes())
            .as(filter.toString())
            .isLessThan(values.length * 4L / 2);
      }
    }
  }
}
