package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.BitPadding;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.filter.FaultyFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code verify=write}: encoded chunks are decoded and compared before they are written. */
class VerifiedWritesTest {

  private static final OpenOptions VERIFIED = OpenOptions.EDIT.withProperty("verify", "write");
  private static final int[] NUMBERS = IntStream.range(0, 4000).map(i -> 2 * i).toArray();

  private static final IntegerType INT =
      new IntegerType(4, Endian.LITTLE, true, 32, 0, BitPadding.ZERO, BitPadding.ZERO);

  @TempDir Path folder;

  private Path file() {
    return folder.resolve("a.h5");
  }

  private H5File create(OpenOptions access) {
    return Hdf5.create(file(), CreateOptions.DEFAULT.withAccess(access));
  }

  private static DatasetOptions options(FilterSpec... filters) {
    DatasetOptions.Builder builder = DatasetOptions.chunked(1000);
    Arrays.stream(filters).forEach(builder::filter);
    return builder.build();
  }

  private static Dataset dataset(H5File file, FilterSpec... filters) {
    return file.datasetBuilder("x").type(INT).shape(4000).options(options(filters)).create();
  }

  private static FilterSpec faulty(int fault) {
    return FilterSpec.of(FaultyFilter.ID, fault);
  }

  @Test
  void damageGoesUnnoticedWithoutTheProperty() {
    try (H5File file = create(OpenOptions.EDIT);
        Dataset x = dataset(file, faulty(FaultyFilter.ALWAYS))) {
      x.write(NUMBERS);
    }
    try (H5File file = Hdf5.open(file())) {
      assertThat(file.dataset("x").readInts()).isNotEqualTo(NUMBERS);
    }
  }

  @Test
  void filterThatDamagesIsNamedAndNothingIsStored() {
    try (H5File file = create(VERIFIED);
        Dataset x = dataset(file, FilterSpec.shuffle(), faulty(FaultyFilter.ALWAYS))) {
      assertThatThrownBy(() -> x.write(NUMBERS))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageMatching("chunk at \\[[0-3]?0+] of dataset /x.*")
          .hasMessageContaining("40123 (faulty) does not restore")
          .hasMessageContaining("not stored");
    }
    try (H5File file = Hdf5.open(file())) {
      assertThat(file.dataset("x").readInts()).containsOnly(0);
    }
  }

  @Test
  void otherDataOfTheFileIsKept() {
    try (H5File file = create(VERIFIED)) {
      file.createDataset("before", NUMBERS);
      try (Dataset x = dataset(file, faulty(FaultyFilter.ONCE))) {
        FaultyFilter.arm();
        assertThatThrownBy(() -> x.write(NUMBERS)).isInstanceOf(UnsupportedFeatureException.class);
        x.write(NUMBERS);
      }
      file.createDataset("after", NUMBERS);
    }
    try (H5File file = Hdf5.open(file())) {
      for (String name : List.of("before", "x", "after")) {
        assertThat(file.dataset(name).readInts()).isEqualTo(NUMBERS);
      }
    }
  }

  @Test
  void damageThatCannotBeRepeatedIsBlamedOnNoFilter() {
    try (H5File file = create(VERIFIED);
        Dataset x = dataset(file, faulty(FaultyFilter.ONCE), FilterSpec.deflate(1))) {
      x.write(NUMBERS);
      FaultyFilter.arm();
      assertThatThrownBy(() -> x.write(NUMBERS))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("each filter (40123 (faulty), 1 (deflate)) restores");
      assertThat(x.readInts()).isEqualTo(NUMBERS);
    }
  }

  @Test
  void chunkThatWaitedInMemoryIsCheckedWhenItIsFlushed() {
    try (H5File file = create(VERIFIED);
        Dataset x = dataset(file, faulty(FaultyFilter.ONCE))) {
      x.write(Selection.box(new long[] {10}, new long[] {3}), new int[] {1, 2, 3});
      FaultyFilter.arm();
      assertThatThrownBy(file::flush)
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("chunk at [0] of dataset /x");
      file.flush();
    }
    try (H5File file = Hdf5.open(file())) {
      assertThat(file.dataset("x").readInts()).startsWith(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3);
    }
  }

  @Test
  void filterThatLosesBitsIsExecutedTwice() {
    try (H5File file = create(VERIFIED);
        Dataset x = dataset(file, faulty(FaultyFilter.LOSES_BITS), FilterSpec.deflate(1))) {
      x.write(NUMBERS);
      assertThat(x.readInts()).isEqualTo(Arrays.stream(NUMBERS).map(i -> i & 0xFEFEFEFE).toArray());
    }
  }

  @Test
  void filterBehindOneThatLosesBitsIsChecked() {
    try (H5File file = create(VERIFIED);
        Dataset x = dataset(file, faulty(FaultyFilter.LOSES_BITS), faulty(FaultyFilter.ALWAYS))) {
      assertThatThrownBy(() -> x.write(NUMBERS))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("does not restore");
    }
  }

  @Test
  void filtersOfTheLibraryPass() {
    FilterSpec scaled = FilterSpec.of(6, 0, 2);
    FilterSpec few = FilterSpec.of(6, 2, 4);
    IntegerType twelve =
        new IntegerType(2, Endian.LITTLE, false, 12, 0, BitPadding.ONE, BitPadding.ONE);
    double[] degrees = IntStream.range(0, 4000).mapToDouble(i -> Math.sin(i) * 100).toArray();
    try (H5File file = create(VERIFIED)) {
      file.datasetBuilder("scaled")
          .value(degrees)
          .options(o -> o.chunked(1000).filter(scaled).deflate(4))
          .create();
      file.datasetBuilder("few")
          .value(NUMBERS)
          .options(o -> o.chunked(1000).filter(few).fletcher32())
          .create();
      file.datasetBuilder("lz4")
          .value(NUMBERS)
          .options(o -> o.chunked(1000).shuffle().lz4())
          .create();
      file.datasetBuilder("zstd").value(NUMBERS).options(o -> o.chunked(1000).zstd(3)).create();
      file.datasetBuilder("blosc")
          .value(NUMBERS)
          .options(o -> o.chunked(1000).blosc(FilterSpec.BloscCodec.BLOSCLZ, 5))
          .create();
      file.datasetBuilder("lzf").value(NUMBERS).options(o -> o.chunked(1000).lzf()).create();
      file.datasetBuilder("szip")
          .value(NUMBERS)
          .options(o -> o.chunked(1000).filter(FilterSpec.of(4, 32, 16)))
          .create();
      Dataset counter =
          file.root()
              .datasetBuilder("nbit")
              .type(twelve)
              .shape(4000)
              .options(options(FilterSpec.of(5)))
              .create();
      counter.write(Arrays.stream(NUMBERS).map(i -> i % 4096).toArray());
      for (String name : List.of("lz4", "zstd", "blosc", "lzf", "szip")) {
        assertThat(file.dataset(name).readInts()).as(name).isEqualTo(NUMBERS);
      }
    }
  }

  @Test
  void optionOfTheConnectorHoldsForAllFiles() {
    try (Session session = Hdf5.session("native verify=write");
        H5File file = session.create(file());
        Dataset x = dataset(file, faulty(FaultyFilter.ALWAYS))) {
      assertThatThrownBy(() -> x.write(NUMBERS)).isInstanceOf(UnsupportedFeatureException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"native verify=read", "native other=write"})
  void otherOptionsAreRefused(String configuration) {
    assertThatThrownBy(() -> Hdf5.session(configuration))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("verify=write");
  }

  @Test
  void otherValuesOfThePropertyAreRefused() {
    assertThatThrownBy(() -> create(OpenOptions.EDIT.withProperty("verify", "all")).close())
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("expected=write");
  }
}
