package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hyperslab.Dataset;
import org.hyperslab.Memory;
import org.hyperslab.Slice;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.TransferOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests parts of datasets, with selections of every kind in the file and in memory. The expected
 * elements are found by testing every coordinate against the selection.
 */
abstract class SelectionContract extends ContractBase {

  private static final long[] DIMS = {12, 10};
  private static final int COUNT = 120;

  SelectionContract() {}

  /** Selections of a 12 × 10 extent. */
  @SuppressWarnings("ImmutableEnumChecker") // selections are immutable
  enum Part {
    ALL(Selection.all()),
    NONE(Selection.none()),
    ONE_POINT(Selection.points(2, 5, 7)),
    POINTS_OUT_OF_ORDER(Selection.points(2, 11, 9, 0, 0, 5, 5, 0, 9, 11, 0, 5, 4)),
    ROW(Selection.box(new long[] {3, 0}, new long[] {1, 10})),
    ROWS(Selection.box(new long[] {3, 0}, new long[] {4, 10})),
    COLUMN(Selection.box(new long[] {0, 6}, new long[] {12, 1})),
    BOX(Selection.box(new long[] {2, 3}, new long[] {7, 5})),
    CORNER(Selection.box(new long[] {11, 9}, new long[] {1, 1})),
    EMPTY_BOX(Selection.box(new long[] {2, 3}, new long[] {0, 5})),
    STRIDED(slab(1, 0, 3, 2, 4, 5, 1, 1)),
    BLOCKS(slab(0, 1, 4, 3, 3, 3, 2, 2)),
    EVERY_SECOND_ROW(slab(0, 0, 2, 1, 6, 1, 1, 10)),
    EVERY_SECOND_COLUMN(slab(0, 1, 1, 2, 1, 5, 12, 1)),
    TWO_BOXES(BOX.selection.or(Selection.box(new long[] {0, 0}, new long[] {2, 2}))),
    OVERLAPPING_BOXES(BOX.selection.or(Selection.box(new long[] {5, 5}, new long[] {6, 5}))),
    FRAME(Selection.box(new long[] {0, 0}, DIMS).andNot(BOX.selection)),
    CHEQUERED(STRIDED.selection.xor(BLOCKS.selection)),
    STAIRS(stairs()),
    COMPLEMENT_OF_BLOCKS(BLOCKS.selection.complement(DIMS));

    final Selection selection;

    Part(Selection selection) {
      this.selection = selection;
    }

    private static Selection slab(long... n) {
      return Selection.hyperslab(
          new long[] {n[0], n[1]},
          new long[] {n[2], n[3]},
          new long[] {n[4], n[5]},
          new long[] {n[6], n[7]});
    }

    private static Selection stairs() {
      List<Selection> steps = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        steps.add(Selection.box(new long[] {i, i}, new long[] {1, 10 - i}));
      }
      return Selection.union(steps);
    }
  }

  /** Returns row-major offsets in the order of transfer, computed without runs. */
  private static int[] offsets(Part part) {
    if (part == Part.POINTS_OUT_OF_ORDER) {
      return new int[] {119, 0, 55, 9, 110, 54};
    }
    return IntStream.range(0, COUNT).filter(i -> part.selection.contains(i / 10, i % 10)).toArray();
  }

  private Dataset numbered(Layouts layout) {
    return numbered("d", layout);
  }

  private Dataset numbered(String name, Layouts layout) {
    Dataset dataset =
        file()
            .datasetBuilder(name)
            .type(Datatypes.I32LE)
            .space(layout.space(DIMS))
            .options(layout.options(DIMS))
            .create();
    dataset.write(IntStream.range(0, COUNT).toArray());
    return dataset;
  }

  /** Checks a dataset of each layout, named as the layout, in the open file and in the closed. */
  private void inAllLayouts(Consumer<Dataset> check) {
    inBothLives(file -> {
      for (Layouts layout : Layouts.values()) {
        check.accept(file.dataset(layout.name()));
      }
    });
  }

  @ParameterizedTest
  @EnumSource
  void partsAreRead(Part part) {
    for (Layouts layout : Layouts.values()) {
      numbered(layout.name(), layout);
    }
    inAllLayouts(dataset ->
        assertThat(dataset.readInts(part.selection))
            .as("%s", dataset)
            .containsExactly(offsets(part)));
  }

  @ParameterizedTest
  @EnumSource
  void partsAreWritten(Part part) {
    int[] expected = IntStream.range(0, COUNT).toArray();
    int[] at = offsets(part);
    int[] values = IntStream.range(0, at.length).map(k -> -1 - k).toArray();
    for (int k = 0; k < at.length; k++) {
      expected[at[k]] = values[k];
    }
    for (Layouts layout : Layouts.values()) {
      numbered(layout.name(), layout).write(part.selection, values);
    }
    inAllLayouts(
        dataset -> assertThat(dataset.readInts()).as("%s", dataset).containsExactly(expected));
  }

  @ParameterizedTest
  @EnumSource
  void partsOfAnUnwrittenDatasetAreWritten(Part part) {
    int[] expected = new int[COUNT];
    int[] at = offsets(part);
    int[] values = IntStream.range(0, at.length).map(k -> 7 + k).toArray();
    for (int k = 0; k < at.length; k++) {
      expected[at[k]] = values[k];
    }
    for (Layouts layout : Layouts.values()) {
      file()
          .datasetBuilder(layout.name())
          .type(Datatypes.I16BE)
          .space(layout.space(DIMS))
          .options(layout.options(DIMS))
          .create()
          .write(part.selection, values);
    }
    inAllLayouts(
        dataset -> assertThat(dataset.readInts()).as("%s", dataset).containsExactly(expected));
  }

  static Stream<Arguments> partPairs() {
    return Stream.of(Part.values())
        .flatMap(a ->
            Stream.of(Part.values())
                .filter(b -> offsets(a).length == offsets(b).length)
                .map(b -> Arguments.of(a, b)));
  }

  @ParameterizedTest
  @MethodSource("partPairs")
  void memorySelectionsAreReadInto(Part inFile, Part inMemory) {
    Dataset dataset = numbered(Layouts.DEFLATED);
    int[] target = new int[COUNT];
    Arrays.fill(target, -5);
    int[] expected = target.clone();
    int[] from = offsets(inFile);
    int[] to = offsets(inMemory);
    for (int k = 0; k < from.length; k++) {
      expected[to[k]] = from[k];
    }
    dataset.readInto(inFile.selection, Memory.of(target, DIMS).select(inMemory.selection));
    assertThat(target).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("partPairs")
  void memorySelectionsAreWrittenFrom(Part inFile, Part inMemory) {
    Dataset dataset = numbered(Layouts.CONTIGUOUS);
    int[] source = IntStream.range(1000, 1000 + COUNT).toArray();
    int[] expected = IntStream.range(0, COUNT).toArray();
    int[] to = offsets(inFile);
    int[] from = offsets(inMemory);
    for (int k = 0; k < from.length; k++) {
      expected[to[k]] = source[from[k]];
    }
    dataset.write(inFile.selection, Memory.of(source, DIMS).select(inMemory.selection));
    assertThat(dataset.readInts()).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(Layouts.class)
  void selectionsAreReadIntoMemoryOfAnotherRankAndType(Layouts layout) {
    Dataset dataset = numbered(layout);
    double[] line = new double[30];
    Memory everySecond =
        Memory.of(line, 30)
            .select(
                Selection.hyperslab(
                    new long[] {1}, new long[] {2}, new long[] {12}, new long[] {1}));
    dataset.readInto(Part.COLUMN.selection, everySecond);
    for (int i = 0; i < 30; i++) {
      boolean read = i % 2 == 1 && i < 25;
      assertThat(line[i]).isEqualTo(read ? (i - 1) / 2 * 10 + 6 : 0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 8})
  void everyRankCanBeCutInTheMiddle(int rank) {
    long[] dims = new long[rank];
    long[] start = new long[rank];
    long[] count = new long[rank];
    Arrays.fill(dims, 3);
    Arrays.fill(start, 1);
    Arrays.fill(count, 2);
    int total = (int) Math.pow(3, rank);
    long[] chunk = new long[rank];
    Arrays.fill(chunk, 2);
    Dataset dataset =
        file()
            .datasetBuilder("d")
            .type(Datatypes.I64BE)
            .shape(dims)
            .options(DatasetOptions.chunked(chunk).build())
            .create();
    dataset.write(IntStream.range(0, total).asLongStream().toArray());
    long[] expected =
        IntStream.range(0, total)
            .filter(i -> Integer.toString(i, 3).length() == rank)
            .filter(i -> !Integer.toString(i, 3).contains("0"))
            .asLongStream()
            .toArray();
    inBothLives(file ->
        assertThat(file.dataset("d").readLongs(Selection.box(start, count))).isEqualTo(expected));
  }

  @Test
  void pointsMayBeReadTwice() {
    numbered(Layouts.CHUNKED);
    assertThat(file().dataset("d").readInts(Selection.points(2, 1, 1, 1, 1, 0, 3)))
        .containsExactly(11, 11, 3);
  }

  @Test
  void selectionsOutsideTheExtentAreRefused() {
    Dataset dataset = numbered(Layouts.CONTIGUOUS);
    fails(
        InvalidUseException.class,
        () -> dataset.readInts(Selection.box(new long[] {10, 0}, new long[] {3, 1})),
        "12");
    fails(
        InvalidUseException.class,
        () -> dataset.write(Selection.points(2, 0, 10), new int[1]),
        "10");
  }

  @Test
  void selectionsOfAnotherRankAreRefused() {
    Dataset dataset = numbered(Layouts.CHUNKED);
    fails(
        InvalidUseException.class,
        () -> dataset.readInts(Selection.box(new long[] {0}, new long[] {1})),
        "rank");
  }

  @Test
  void countsThatDifferAreRefused() {
    Dataset dataset = numbered(Layouts.CHUNKED);
    fails(
        InvalidUseException.class, () -> dataset.write(Part.ROW.selection, new int[9]), "9", "10");
    assertThat(dataset.readInts()).isEqualTo(IntStream.range(0, COUNT).toArray());
  }

  // --- slices ---

  static Stream<Arguments> slices() {
    return Stream.of(
        Arguments.of("0, 0", new long[] {}, new int[] {0}),
        Arguments.of("-1, -1", new long[] {}, new int[] {119}),
        Arguments.of("2", new long[] {10}, IntStream.range(20, 30).toArray()),
        Arguments.of(
            "..., 9", new long[] {12}, IntStream.range(0, 12).map(i -> 9 + 10 * i).toArray()),
        Arguments.of("1:3, 4:6", new long[] {2, 2}, new int[] {14, 15, 24, 25}),
        Arguments.of("::6, ::5", new long[] {2, 2}, new int[] {0, 5, 60, 65}),
        Arguments.of("-2:, :2", new long[] {2, 2}, new int[] {100, 101, 110, 111}),
        Arguments.of("5:5, :", new long[] {0, 10}, new int[] {}),
        Arguments.of("10:99, 8:-1", new long[] {2, 1}, new int[] {108, 118}),
        Arguments.of("", new long[] {12, 10}, IntStream.range(0, 120).toArray()));
  }

  @ParameterizedTest
  @MethodSource("slices")
  void slicesAreThoseOfNumPy(String text, long[] shape, int[] values) {
    numbered(Layouts.CHUNKED);
    Slice slice = file().dataset("d").slice(text);
    assertThat(slice.shape()).containsExactly(shape);
    assertThat(slice.readInts()).isEqualTo(values);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"12", "0, 10", "a", "1:2:0", "[1", "[1, 1]", "0,0,0", "...,...", "-13", "1:2:3:4"})
  void wrongSlicesAreRefused(String text) {
    numbered(Layouts.CONTIGUOUS);
    fails(InvalidUseException.class, () -> file().dataset("d").slice(text), "slice");
  }

  @Test
  void slicesAreWritten() {
    Dataset dataset = numbered(Layouts.CHUNKED);
    dataset.slice("3, 2:5").write(new int[] {-1, -2, -3});
    dataset.rows(0, 2).write(new int[2][10]);
    assertThat(dataset.slice("3, 1:6").readInts()).containsExactly(31, -1, -2, -3, 35);
    assertThat(dataset.rows(0, 3).read(int[][].class)[2][0]).isEqualTo(20);
    assertThat(dataset.rows(0, 2).readInts()).containsOnly(0);
  }

  @Test
  void sliceTakesTransferOptions() {
    Dataset dataset = numbered(Layouts.CHUNKED);
    Slice slice = dataset.slice("3, 2:5");
    slice.write(new int[] {-1, -2, -3}, TransferOptions.COLLECTIVE);
    int[] found = new int[3];
    slice.readInto(found, TransferOptions.COLLECTIVE);
    assertThat(found).containsExactly(-1, -2, -3);
    assertThat(dataset.slice("3, 1:6").readInts()).containsExactly(31, -1, -2, -3, 35);
  }

  // --- memory of other kinds ---

  @ParameterizedTest
  @EnumSource(Layouts.class)
  void segmentsThatOnlyTheCallingThreadMayAccess(Layouts layout) {
    Dataspace space = layout.space(12, 10);
    Dataset same =
        file()
            .datasetBuilder("same")
            .type(Datatypes.F64LE)
            .space(space)
            .options(layout.options(DIMS))
            .create();
    Dataset other =
        file()
            .datasetBuilder("other")
            .type(Datatypes.I16BE)
            .space(space)
            .options(layout.options(DIMS))
            .create();
    double[] numbers = IntStream.range(0, COUNT).asDoubleStream().toArray();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source = arena.allocateFrom(ValueLayout.JAVA_DOUBLE, numbers);
      same.write(source);
      other.write(Memory.of(source, Datatypes.NATIVE_DOUBLE, DIMS));
      MemorySegment target = arena.allocate(ValueLayout.JAVA_DOUBLE, COUNT);
      same.readInto(target);
      assertThat(target.mismatch(source)).isEqualTo(-1);
      target.fill((byte) 0);
      other.readInto(Memory.of(target, Datatypes.NATIVE_DOUBLE, DIMS));
      assertThat(target.mismatch(source)).isEqualTo(-1);
    }
    assertThat(same.readDoubles()).containsExactly(numbers);
    assertThat(other.readDoubles()).containsExactly(numbers);
  }

  @Test
  void buffersAreUsedFromPositionToLimit() {
    Dataset dataset = file().createDataset("d", Datatypes.F32BE, Dataspace.simple(3));
    dataset.write(DoubleBuffer.wrap(new double[] {9, 1, 2, 3, 9}, 1, 3));
    assertThat(dataset.readDoubles()).containsExactly(1, 2, 3);
    DoubleBuffer target = DoubleBuffer.allocate(5);
    target.position(2);
    dataset.readInto(target);
    assertThat(target.array()).containsExactly(0, 0, 1, 2, 3);
  }

  @Test
  void arraysOfTheCallerAreFilled() {
    Dataset dataset = numbered(Layouts.CHUNKED);
    long[] target = new long[10];
    dataset.readInto(Part.ROW.selection, target);
    assertThat(target).containsExactly(30, 31, 32, 33, 34, 35, 36, 37, 38, 39);
    fails(InvalidUseException.class, () -> dataset.readInto(new String[120]), "string");
  }

  @Test
  void zeroSizedDatasetsHoldNothing() {
    Dataset dataset = file().createDataset("d", Datatypes.F64LE, Dataspace.simple(0, 5));
    dataset.write(new double[0]);
    inBothLives(file -> {
      assertThat(file.dataset("d").readDoubles()).isEmpty();
      assertThat(file.dataset("d").shape()).containsExactly(0, 5);
    });
  }

  @Test
  void nullSpacesHoldNothing() {
    Dataset none = file().createDataset("d", Datatypes.F64LE, Dataspace.nullSpace());
    none.slice("").write(new double[0]);
    assertThatThrownBy(() -> none.slice("").write(1.0)).isInstanceOf(InvalidUseException.class);
    inBothLives(file -> {
      Dataset dataset = file.dataset("d");
      assertThat(dataset.space().kind()).isEqualTo(Dataspace.Kind.NULL);
      assertThat(dataset.read()).isNull();
      for (Slice all : new Slice[] {dataset.clamped(), dataset.slice(""), dataset.slice("...")}) {
        assertThat(all.read()).isNull();
        assertThat(all.readDoubles()).isEmpty();
        assertThat(all.elementCount()).isZero();
      }
    });
  }

  /** Selections of another rank than the two of the dataset, of at most one element in memory. */
  private static List<Selection> ofOtherRanks() {
    Selection irregular = Selection.points(1, 3).or(Selection.none());
    return List.of(
        Selection.box(new long[] {0}, new long[] {4}),
        Selection.box(new long[] {0, 0, 0}, new long[] {1, 1, 1}),
        Selection.points(1, 5),
        Selection.points(3, 1, 1, 1),
        irregular,
        Selection.hyperslab(new long[] {0}, new long[] {3}, new long[] {3}, new long[] {1}),
        Selection.box(new long[] {0}, new long[] {2})
            .or(Selection.box(new long[] {7}, new long[] {1})),
        Selection.box(new long[] {0, 0, 0}, new long[] {2, 2, 2})
            .andNot(Selection.box(new long[] {0, 0, 0}, new long[] {1, 1, 1})));
  }

  private static long countOf(Selection selection) {
    long[] large = new long[selection.rank()];
    Arrays.fill(large, 100);
    return selection.elementCount(large);
  }

  @ParameterizedTest
  @EnumSource
  void selectionsOfAnotherRankAreRefused(Layouts layout) {
    Dataset written = numbered("written", layout);
    Dataset blank =
        file()
            .datasetBuilder("blank")
            .type(Datatypes.I32LE)
            .space(layout.space(DIMS))
            .options(layout.options(DIMS))
            .create();
    for (Dataset dataset : List.of(written, blank)) {
      for (Selection wrong : ofOtherRanks()) {
        refusesRank("readInts " + wrong, () -> dataset.readInts(wrong));
        refusesRank("select " + wrong, () -> dataset.select(wrong).readInts());
        refusesRank("write " + wrong, () -> dataset.write(wrong, new int[(int) countOf(wrong)]));
        refusesRank("regionReference " + wrong, () -> dataset.regionReference(wrong));
      }
    }
    assertThat(written.readInts()).containsExactly(IntStream.range(0, COUNT).toArray());
    assertThat(blank.readInts()).containsOnly(0);
  }

  private static void refusesRank(String what, Runnable call) {
    assertThat(catchThrowable(call::run))
        .as(what)
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("rank");
  }
}
