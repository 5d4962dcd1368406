package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hyperslab.Dataset;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.Layout;
import org.hyperslab.model.RawChunk;
import org.hyperslab.vol.Capability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests chunks: shapes, filters, and chunks as stored. */
abstract class ChunkContract extends ContractBase {

  ChunkContract() {}

  static Stream<Arguments> shapes() {
    return Stream.of(
        Arguments.of(new long[] {20, 30}, new long[] {20, 30}),
        Arguments.of(new long[] {20, 30}, new long[] {1, 1}),
        Arguments.of(new long[] {20, 30}, new long[] {1, 30}),
        Arguments.of(new long[] {20, 30}, new long[] {20, 1}),
        Arguments.of(new long[] {20, 30}, new long[] {7, 11}),
        Arguments.of(new long[] {20, 30}, new long[] {5, 10}),
        Arguments.of(new long[] {600}, new long[] {7}),
        Arguments.of(new long[] {1000}, new long[] {1}),
        Arguments.of(new long[] {5, 6, 20}, new long[] {2, 4, 7}),
        Arguments.of(new long[] {3, 4, 5, 10}, new long[] {2, 2, 2, 3}));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void everyChunkShapeKeepsItsElements(long[] dims, long[] chunk) {
    int count = (int) Dataspace.simple(dims).elementCount();
    long[] values = IntStream.range(0, count).asLongStream().map(i -> i * i).toArray();
    for (boolean filtered : new boolean[] {false, true}) {
      DatasetOptions.Builder options = DatasetOptions.chunked(chunk);
      file()
          .datasetBuilder("d" + filtered)
          .type(Datatypes.I64LE)
          .shape(dims)
          .options((filtered ? options.shuffle().deflate(4) : options).build())
          .create()
          .write(values);
    }
    inBothLives(file -> {
      assertThat(file.dataset("dtrue").readLongs()).containsExactly(values);
      assertThat(file.dataset("dfalse").readLongs()).containsExactly(values);
      assertThat(file.dataset("dtrue").options().layout()).isEqualTo(Layout.Chunked.of(chunk));
    });
  }

  static Stream<Arguments> filters() {
    return Stream.of(
        Arguments.of("deflate 0", DatasetOptions.chunked(10, 8).deflate(0)),
        Arguments.of("deflate 9", DatasetOptions.chunked(10, 8).deflate(9)),
        Arguments.of("shuffle", DatasetOptions.chunked(10, 8).shuffle()),
        Arguments.of("fletcher32", DatasetOptions.chunked(10, 8).fletcher32()),
        Arguments.of("shuffle, deflate", DatasetOptions.chunked(10, 8).shuffle().deflate(5)),
        Arguments.of("all three", DatasetOptions.chunked(10, 8).shuffle().deflate(5).fletcher32()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("filters")
  void filtersAreAppliedAndUndone(String name, DatasetOptions.Builder options) {
    assertThat(name).isNotEmpty();
    double[] values = IntStream.range(0, 33 * 21).mapToDouble(i -> Math.sin(i / 9.0)).toArray();
    Dataset dataset =
        file()
            .datasetBuilder("d")
            .type(Datatypes.F64BE)
            .shape(33, 21)
            .options(options.build())
            .create();
    dataset.write(values);
    dataset.slice("5:7, 3").write(new double[] {8, 9});
    values[5 * 21 + 3] = 8;
    values[6 * 21 + 3] = 9;
    inBothLives(file -> {
      assertThat(file.dataset("d").readDoubles()).containsExactly(values);
      assertThat(file.dataset("d").options().filters().stream().map(FilterSpec::id))
          .containsExactlyElementsOf(
              options.build().filters().stream().map(FilterSpec::id).toList());
    });
  }

  @ParameterizedTest
  @MethodSource("listedWhileEdited")
  void chunksAreListedOnceWhileOthersChange(long[] maximum, DatasetOptions options) {
    requires(Capability.RAW_CHUNKS);
    long[] rows = {3000};
    Dataset dataset =
        file()
            .datasetBuilder("d")
            .type(Datatypes.I32LE)
            .shape(rows)
            .maxShape(maximum)
            .options(options)
            .create();
    int[] values = IntStream.range(0, 3000).map(i -> i % 2 == 0 ? i : 0).toArray();
    for (int i = 0; i < 3000; i += 2) {
      dataset.write(Selection.box(new long[] {i}, new long[] {1}), new int[] {i});
    }
    List<Long> seen = new ArrayList<>();
    dataset
        .chunks()
        .forEach(chunk -> {
          long at = chunk.offset().getFirst();
          seen.add(at);
          if (at % 2 == 0 && at + 1 < 3000 && seen.size() < 2000) {
            dataset.write( // allocates a chunk that is listed next, and fills one listed before
                Selection.points(1, at + 1, Math.max(0, at - 500)),
                new int[] {(int) at + 1, (int) Math.max(0, at - 500)});
          }
        });
    assertThat(seen).doesNotHaveDuplicates().isSorted();
    assertThat(seen.stream().filter(at -> at % 2 == 0)).hasSize(1500);
    inBothLives(file -> {
      int[] read = file.dataset("d").readInts();
      for (int i = 0; i < values.length; i += 2) {
        assertThat(read[i]).isEqualTo(values[i]);
      }
      assertThat(file.dataset("d").chunks()).hasSize(3000);
    });
  }

  static Stream<Arguments> listedWhileEdited() {
    DatasetOptions plain = DatasetOptions.chunked(1).build();
    DatasetOptions filtered = DatasetOptions.chunked(1).shuffle().build();
    return Stream.of(
        Arguments.of(new long[] {3000}, plain),
        Arguments.of(new long[] {3000}, filtered),
        Arguments.of(new long[] {Dataspace.UNLIMITED}, plain),
        Arguments.of(new long[] {Dataspace.UNLIMITED}, filtered));
  }

  @Test
  void chunksAreListedWhileTheDatasetGrowsAndShrinks() {
    requires(Capability.RAW_CHUNKS);
    Dataset dataset =
        file()
            .datasetBuilder("d")
            .type(Datatypes.I32LE)
            .shape(3000)
            .maxShape(Dataspace.UNLIMITED)
            .options(DatasetOptions.chunked(1).build())
            .create();
    dataset.write(new int[3000]);
    List<Long> seen = new ArrayList<>();
    dataset
        .chunks()
        .forEach(chunk -> {
          seen.add(chunk.offset().getFirst());
          if (seen.size() == 10) {
            dataset.setExtent(2500);
          } else if (seen.size() == 1500) {
            dataset.append(new int[] {1, 2, 3});
          }
        });
    assertThat(seen).doesNotHaveDuplicates().isSorted();
    assertThat(seen.subList(0, 2503)).endsWith(2500L, 2501L, 2502L);
    assertThat(seen).hasSize(2503);
  }

  @Test
  void sparseWritesLeaveTheRestUnwritten() {
    requires(Capability.RAW_CHUNKS);
    Dataset dataset =
        file()
            .datasetBuilder("d")
            .type(Datatypes.U8LE)
            .shape(100_000, 100_000)
            .options(DatasetOptions.chunked(100, 100).deflate(1).build())
            .create();
    dataset.write(Selection.points(2, 99_999, 99_999, 0, 0, 50_000, 7), new int[] {1, 2, 3});
    inBothLives(file -> {
      Dataset again = file.dataset("d");
      assertThat(again.readInts(Selection.points(2, 0, 0, 50_000, 7, 99_999, 99_999, 5, 5)))
          .containsExactly(2, 3, 1, 0);
    });
  }

  @Test
  void filtersNeedChunks() {
    fails(
        InvalidUseException.class,
        () ->
            file()
                .datasetBuilder("d")
                .type(Datatypes.I32LE)
                .shape(4)
                .options(
                    DatasetOptions.builder().layout(new Layout.Contiguous()).deflate(1).build())
                .create(),
        "chunked");
    assertThat(file().exists("d")).isFalse();
  }

  @Test
  void automaticLayoutChoosesChunksForFilters() {
    file()
        .datasetBuilder("d")
        .type(Datatypes.I32LE)
        .shape(100, 100)
        .options(DatasetOptions.builder().deflate(4).build())
        .create()
        .write(new int[10_000]);
    inBothLives(file -> {
      assertThat(file.dataset("d").options().filters()).hasSize(1);
      assertThat(file.dataset("d").readInts()).containsOnly(0).hasSize(10_000);
    });
  }

  @Test
  void chunksOfAnotherRankAreRefused() {
    fails(
        InvalidUseException.class,
        () ->
            file()
                .datasetBuilder("d")
                .type(Datatypes.I32LE)
                .shape(4, 4)
                .options(DatasetOptions.chunked(2).build())
                .create(),
        "rank");
  }

  @Test
  void chunksWithoutElementsAreRefused() {
    fails(
        InvalidUseException.class,
        () ->
            file()
                .datasetBuilder("d")
                .type(Datatypes.I32LE)
                .shape(4)
                .options(DatasetOptions.chunked(0).build())
                .create(),
        "chunk");
  }

  @Test
  void chunksLargerThanAFixedExtentAreRefused() {
    fails(
        InvalidUseException.class,
        () ->
            file()
                .datasetBuilder("d")
                .type(Datatypes.I32LE)
                .shape(4)
                .options(DatasetOptions.chunked(5).build())
                .create(),
        "chunk");
  }

  @Test
  void compactDatasetsAreSmall() {
    fails(
        InvalidUseException.class,
        () ->
            file()
                .datasetBuilder("d")
                .type(Datatypes.F64LE)
                .shape(10_000)
                .options(DatasetOptions.builder().layout(new Layout.Compact()).build())
                .create(),
        "compact");
  }

  // --- chunks as stored ---

  private Dataset numbered() {
    requires(Capability.RAW_CHUNKS);
    Dataset dataset =
        file()
            .datasetBuilder("d")
            .type(Datatypes.I16LE)
            .shape(4, 6)
            .options(DatasetOptions.chunked(2, 3).build())
            .create();
    dataset.write(IntStream.range(0, 24).toArray());
    return dataset;
  }

  @Test
  void allocatedChunksAreListed() {
    numbered();
    inBothLives(file ->
        assertThat(file.dataset("d").chunks().map(chunk -> chunk.offset().toString()))
            .containsExactly("[0, 0]", "[0, 3]", "[2, 0]", "[2, 3]"));
  }

  @Test
  void onlyAllocatedChunksAreListed() {
    requires(Capability.RAW_CHUNKS);
    Dataset dataset =
        file()
            .datasetBuilder("d")
            .type(Datatypes.I16LE)
            .shape(4, 6)
            .options(DatasetOptions.chunked(2, 3).build())
            .create();
    dataset.write(Selection.points(2, 3, 1), new int[] {1});
    inBothLives(file ->
        assertThat(file.dataset("d").chunks().map(chunk -> chunk.offset().toString()))
            .containsExactly("[2, 0]"));
  }

  @Test
  void chunksAreReadAsStored() {
    numbered();
    inBothLives(file -> {
      RawChunk chunk = file.dataset("d").readChunk(2, 3);
      short[] elements = chunk.bytes().toArray(ValueLayout.JAVA_SHORT_UNALIGNED);
      assertThat(elements)
          .containsExactly((short) 15, (short) 16, (short) 17, (short) 21, (short) 22, (short) 23);
    });
  }

  @Test
  void chunksAreWrittenAsGiven() {
    Dataset dataset = numbered();
    short[] elements = {1, 2, 3, 4, 5, 6};
    dataset.writeChunk(new RawChunk(MemorySegment.ofArray(elements), 0), 0, 3);
    inBothLives(file -> {
      assertThat(file.dataset("d").slice("0:2, 3:").readInts()).containsExactly(1, 2, 3, 4, 5, 6);
      assertThat(file.dataset("d").slice("0, 0:3").readInts()).containsExactly(0, 1, 2);
    });
  }

  @Test
  void storedChunksMoveBetweenDatasets() {
    requires(Capability.RAW_CHUNKS);
    DatasetOptions options = DatasetOptions.chunked(50).shuffle().deflate(6).build();
    int[] values = IntStream.range(0, 120).map(i -> i / 7).toArray();
    Dataset from =
        file().datasetBuilder("from").type(Datatypes.I32LE).shape(120).options(options).create();
    Dataset to =
        file().datasetBuilder("to").type(Datatypes.I32LE).shape(120).options(options).create();
    from.write(values);
    from.flush();
    from.chunks()
        .toList()
        .forEach(chunk -> {
          long[] offset = chunk.offset().stream().mapToLong(Long::longValue).toArray();
          to.writeChunk(from.readChunk(offset), offset);
        });
    inBothLives(file -> assertThat(file.dataset("to").readInts()).containsExactly(values));
  }

  @Test
  void missingChunkIsNotFound() {
    requires(Capability.RAW_CHUNKS);
    Dataset dataset =
        file()
            .datasetBuilder("d")
            .type(Datatypes.I16LE)
            .shape(4, 6)
            .options(DatasetOptions.chunked(2, 3).build())
            .create();
    fails(NotFoundException.class, () -> dataset.readChunk(0, 0), "chunk");
  }

  @Test
  void offsetsBetweenChunksAreRefused() {
    Dataset dataset = numbered();
    fails(InvalidUseException.class, () -> dataset.readChunk(1, 0));
    fails(InvalidUseException.class, () -> dataset.readChunk(0));
    fails(HyperslabException.class, () -> dataset.readChunk(4, 0));
  }

  @Test
  void largeChunkedDatasetsAreKept() {
    long[] values = new long[300 * 400];
    Arrays.setAll(values, i -> i % 1000);
    file()
        .datasetBuilder("d")
        .type(Datatypes.I32LE)
        .shape(300, 400)
        .options(DatasetOptions.chunked(64, 64).shuffle().deflate(1).build())
        .create()
        .write(values);
    inBothLives(file -> assertThat(file.dataset("d").readLongs()).isEqualTo(values));
  }
}
