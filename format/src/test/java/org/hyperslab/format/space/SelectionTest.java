package org.hyperslab.format.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.testkit.ProcessorTime;
import org.junit.jupiter.api.Test;

/**
 * Tests special cases of selections: scalars, empty extents, unlimited counts, overflow, wrong use.
 */
class SelectionTest {

  private static final long UNLIMITED = Selection.UNLIMITED;
  private static final long[] SCALAR = {};

  private static long[] at(long... values) {
    return values;
  }

  private static void refuses(ThrowingCallable call, String... parts) {
    assertThatThrownBy(call).isInstanceOf(InvalidUseException.class).hasMessageContainingAll(parts);
  }

  @Test
  void selectsTheOneElementOfAScalar() {
    RunCursor runs = Selection.all().runs(SCALAR);
    assertThat(runs.next()).isTrue();
    assertThat(runs.offset()).isZero();
    assertThat(runs.length()).isEqualTo(1);
    assertThat(runs.next()).isFalse();
    assertThat(Selection.all().elementCount(SCALAR)).isEqualTo(1);
    assertThat(Selection.none().elementCount(SCALAR)).isZero();
    assertThat(Selection.none().runs(SCALAR).next()).isFalse();
    assertThat(Selection.all().ordinalOf(SCALAR)).isZero();
    assertThat(Selection.all().coordinateAt(SCALAR, 0)).isEmpty();
    assertThat(Selection.all().chunks(SCALAR, SCALAR).next().isWhole()).isTrue();
    assertThat(Selection.all().complement(SCALAR)).isEqualTo(Selection.none());
    Selection point = Selection.box(SCALAR, SCALAR);
    assertThat(RunPairs.of(point, SCALAR, Selection.all(), at(1)).next()).isTrue();
    assertThat(point.or(point)).isEqualTo(point);
  }

  @Test
  void selectsNothingOfAnEmptyExtent() {
    assertThat(Selection.all().runs(at(3, 0, 2)).next()).isFalse();
    assertThat(Selection.all().elementCount(at(3, 0, 2))).isZero();
    assertThat(Selection.all().chunks(at(3, 0), at(2, 2)).hasNext()).isFalse();
    assertThat(Selection.box(at(0, 0), at(1, 1)).clip(at(0, 5))).isEqualTo(Selection.none());
    refuses(() -> Selection.box(at(0), at(1)).runs(at(0)), "actual=0", "below the extent 0");
  }

  @Test
  void zeroCountsAndBlocksSelectNothing() {
    assertThat(Selection.box(at(5, 5), at(0, 3))).isEqualTo(Selection.none());
    assertThat(Selection.hyperslab(at(0), at(1), at(0), at(4))).isEqualTo(Selection.none());
    assertThat(Selection.hyperslab(at(0), at(1), at(4), at(0))).isEqualTo(Selection.none());
    assertThat(Selection.points(2)).isEqualTo(Selection.none());
    assertThat(Selection.union(List.of())).isEqualTo(Selection.none());
  }

  @Test
  void namesDimensionActualAndExpectedOutsideTheExtent() {
    Selection box = Selection.box(at(1, 7), at(2, 5));
    refuses(() -> box.runs(at(10, 10)), "actual=11", "below the extent 10", "dimension 1");
    refuses(() -> box.chunks(at(2, 20), at(4, 4)), "actual=2", "extent 2", "dimension 0");
    refuses(() -> box.runs(at(10)), "actual=2, expected=1");
    refuses(() -> Selection.points(2, 3, 3, 4, 10).runs(at(10, 10)), "actual=10", "dimension 1");
    refuses(() -> box.coordinateAt(at(10, 20), 10), "actual=10", "below 10");
    refuses(() -> Selection.points(1, 4).coordinateAt(at(9), 1), "actual=1", "below 1");
  }

  @Test
  void refusesInvalidHyperslabs() {
    refuses(() -> Selection.box(at(-1), at(2)), "start -1", "dimension 0");
    refuses(() -> Selection.hyperslab(at(0), at(0), at(2), at(1)), "stride 0");
    refuses(
        () -> Selection.hyperslab(at(0, 0), at(9, 2), at(1, 2), at(1, 3)),
        "actual=2",
        "at least the block 3",
        "dimension 1");
    refuses(() -> Selection.box(at(Long.MAX_VALUE), at(1)), "at most 2^63-1");
    refuses(() -> Selection.hyperslab(at(5), at(1L << 40), at(1L << 40), at(1)), "2^63-1");
    refuses(() -> Selection.hyperslab(at(0), at(1), at(UNLIMITED), at(UNLIMITED)), "overlap");
    refuses(
        () -> Selection.hyperslab(at(0, 0), at(1, 1), at(UNLIMITED, UNLIMITED), at(1, 1)),
        "actual=2, expected=at most 1");
    refuses(() -> Selection.box(at(0, 0), at(1)), "rank", "actual=1, expected=2");
    refuses(() -> Selection.points(2, 1, 2, 3), "actual=3 numbers", "rank 2");
    refuses(() -> Selection.points(2, 1, 2, 3, -4), "actual=-4", "point 1, dimension 1");
    refuses(() -> Selection.points(0), "rank of points: actual=0");
    assertThat(Selection.box(at(Long.MAX_VALUE - 1), at(1)).contains(Long.MAX_VALUE - 1)).isTrue();
  }

  @Test
  void refusesToCombineDifferentRanks() {
    Selection line = Selection.box(at(0), at(3));
    Selection plane = Selection.box(at(0, 0), at(3, 3));
    refuses(() -> line.or(plane), "rank", "actual=2, expected=1");
    refuses(() -> Selection.union(List.of(line, plane)), "actual=2, expected=1");
    refuses(() -> line.contains(1, 1), "actual=2, expected=1");
  }

  @Test
  void countsBeyondALongAreRefused() {
    Selection huge = Selection.box(at(0, 0), at(1L << 40, 1L << 40));
    refuses(() -> huge.elementCount(at(1L << 40, 1L << 40)), "2^63-1");
    refuses(() -> huge.runs(at(1L << 40, 1L << 40)), "2^63-1");
    Selection corner = huge.and(Selection.box(at(1L << 39, 1L << 39), at(5, 7)));
    assertThat(corner.elementCount(at(1L << 40, 1L << 40))).isEqualTo(35);
  }

  @Test
  void endsUnlimitedCountsAtTheExtentAlsoInABlock() {
    Selection stripes = Selection.hyperslab(at(1, 0), at(4, 1), at(UNLIMITED, 1), at(2, 3));
    assertThat(stripes.isUnlimited()).isTrue();
    assertThat(stripes.elementCount(at(10, 3))).isEqualTo(5 * 3);
    assertThat(SelectionModel.visited(stripes.clip(at(10, 3)).runs(at(10, 3))))
        .containsExactly(3L, 4L, 5L, 6L, 7L, 8L, 15L, 16L, 17L, 18L, 19L, 20L, 27L, 28L, 29L);
    assertThat(stripes.clip(at(1, 3))).isEqualTo(Selection.none());
    Selection rest = Selection.hyperslab(at(3), at(1), at(1), at(UNLIMITED));
    assertThat(rest.elementCount(at(10))).isEqualTo(7);
    assertThat(rest.contains(1L << 60)).isTrue();
    assertThat(rest.contains(2)).isFalse();
  }

  @Test
  void combinesUnlimitedWithLimitedWhereTheResultIsLimited() {
    Selection odd = Selection.hyperslab(at(1), at(2), at(UNLIMITED), at(1));
    Selection ten = Selection.box(at(0), at(10));
    assertThat(odd.and(ten)).isEqualTo(Selection.hyperslab(at(1), at(2), at(5), at(1)));
    assertThat(ten.andNot(odd)).isEqualTo(Selection.hyperslab(at(0), at(2), at(5), at(1)));
    refuses(() -> odd.or(ten), "clip it to an extent first");
    refuses(() -> odd.andNot(ten), "clip it to an extent first");
    refuses(() -> ten.xor(Selection.all()), "clip it to an extent first");
    assertThat(odd.or(odd)).isEqualTo(odd);
    assertThat(odd.xor(odd)).isEqualTo(Selection.none());
    assertThat(ten.or(Selection.all())).isEqualTo(Selection.all());
    assertThat(ten.and(Selection.all())).isEqualTo(ten);
    assertThat(ten.andNot(Selection.all())).isEqualTo(Selection.none());
  }

  @Test
  void supportsTheQueriesOfVirtualDatasetsOnUnlimitedSelections() {
    RegularHyperslab stripes =
        (RegularHyperslab) Selection.hyperslab(at(3), at(5), at(UNLIMITED), at(2));
    for (long extent = 0; extent < 40; extent++) {
      long indices = stripes.indicesWithin(0, extent);
      assertThat(indices).isEqualTo(stripes.elementCount(at(extent)));
      assertThat(stripes.extentFor(0, indices)).isLessThanOrEqualTo(extent);
      assertThat(stripes.indicesWithin(0, stripes.extentFor(0, indices))).isEqualTo(indices);
    }
    assertThat(stripes.unlimitedBlock(4)).isEqualTo(Selection.box(at(23), at(2)));
    RegularHyperslab three = (RegularHyperslab) Selection.hyperslab(at(3), at(5), at(3), at(2));
    assertThat(three.indicesWithin(0, 1000)).isEqualTo(6);
    assertThat(three.indicesWithin(0, 9)).isEqualTo(3);
    assertThat(three.extentFor(0, 6)).isEqualTo(15);
    refuses(() -> three.extentFor(0, 7), "actual=7");
    refuses(() -> three.unlimitedBlock(0), "unlimited count");
    refuses(() -> stripes.unlimitedBlock(Long.MAX_VALUE), "2^63-1");
  }

  @Test
  void keepsOrderAndDuplicatesOfPointsUntilTheyAreCombined() {
    Selection points = Selection.points(1, 5, 2, 2, 9);
    assertThat(SelectionModel.visited(points.runs(at(10)))).containsExactly(5L, 2L, 2L, 9L);
    assertThat(points.elementCount(at(10))).isEqualTo(4);
    assertThat(points.or(Selection.none())).isEqualTo(points);
    Selection set = points.or(Selection.box(at(2), at(2)));
    assertThat(SelectionModel.visited(set.runs(at(10)))).containsExactly(2L, 3L, 5L, 9L);
    assertThat(points.selectsSame(Selection.points(1, 9, 5, 2), at(10))).isTrue();
    assertThat(points.clip(at(6))).isEqualTo(Selection.points(1, 5, 2, 2));
    assertThat(points.offset(at(-2))).isEqualTo(Selection.points(1, 3, 0, 0, 7));
  }

  @Test
  void equalSetsAreEqualHoweverTheyAreDescribed() {
    Selection whole = Selection.box(at(0, 0), at(4, 6));
    Selection halves = Selection.box(at(0, 0), at(4, 3)).or(Selection.box(at(0, 3), at(4, 3)));
    assertThat(halves).isEqualTo(whole).hasSameHashCodeAs(whole);
    assertThat(whole).isEqualTo(halves);
    assertThat(halves.isRegular()).isTrue();
    assertThat(whole.selectsSame(Selection.all(), at(4, 6))).isTrue();
    assertThat(whole.selectsSame(Selection.all(), at(4, 7))).isFalse();
    assertThat(Selection.hyperslab(at(1), at(2), at(3), at(2)))
        .isEqualTo(Selection.box(at(1), at(6)));
  }

  @Test
  void keepsRegularStructureOfAMillionBlocksThroughSetOperations() {
    long n = 1 << 20;
    Selection even = Selection.hyperslab(at(0, 0), at(2, 2), at(n, n), at(1, 1));
    Selection frame = Selection.box(at(1, 1), at(2 * n - 2, 2 * n - 2));
    Selection cut = even.and(frame);
    assertThat(cut.isRegular()).isTrue();
    assertThat(cut.elementCount(null)).isEqualTo((n - 1) * (n - 1));
    assertThat(even.or(Selection.box(at(0, 0), at(2 * n, 2 * n))).isRegular()).isTrue();
    Selection holes = Selection.box(at(0, 0), at(2 * n, 2 * n)).andNot(even);
    assertThat(holes.elementCount(null)).isEqualTo(4 * n * n - n * n);
  }

  @Test
  void keepsRunsOfEqualStrideCompressedForEveryPhase() {
    long n = 1L << 40;
    Selection a = Selection.hyperslab(at(0), at(10), at(n), at(5));
    Selection b = Selection.hyperslab(at(3), at(10), at(n), at(5));
    assertThat(a.and(b)).isEqualTo(Selection.hyperslab(at(3), at(10), at(n), at(2)));
    assertThat(a.or(b)).isEqualTo(Selection.hyperslab(at(0), at(10), at(n), at(8)));
    assertThat(a.andNot(b)).isEqualTo(Selection.hyperslab(at(0), at(10), at(n), at(3)));
    assertThat(b.andNot(a)).isEqualTo(Selection.hyperslab(at(5), at(10), at(n), at(3)));
  }

  @Test
  void refusesQueriesThatWouldNotEnd() {
    Selection a = Selection.hyperslab(at(0), at(7), at(1L << 40), at(1));
    Selection b = Selection.hyperslab(at(0), at(11), at(1L << 40), at(1));
    refuses(() -> a.xor(b), "split the selection");
  }

  @Test
  void listsItsBlocks() {
    Selection stripes = Selection.hyperslab(at(1, 0), at(4, 1), at(2, 1), at(2, 3));
    List<String> blocks = new ArrayList<>();
    stripes
        .or(Selection.box(at(9, 9), at(1, 1)))
        .forEachBlock(
            at(10, 10), (low, high) -> blocks.add(Extents.text(low) + "-" + Extents.text(high)));
    assertThat(blocks).containsExactly("[1, 0]-[2, 2]", "[5, 0]-[6, 2]", "[9, 9]-[9, 9]");
    assertThat(stripes.blockCount(at(10, 10))).isEqualTo(2);
    assertThat(Selection.all().blockCount(at(10, 10))).isEqualTo(1);
    assertThat(Selection.none().blockCount(at(10, 10))).isZero();
  }

  @Test
  void describesARegularUnionAsARegularHyperslab() {
    Selection union = Selection.box(at(0), at(2)).or(Selection.box(at(2), at(3)));
    assertThat(union).isInstanceOf(SpanTree.class);
    assertThat(union.simplest()).isInstanceOf(RegularHyperslab.class).isEqualTo(union);
  }

  @Test
  void sortsPointsThatLieFarApart() {
    long far = 1L << 62;
    Selection points = Selection.points(2, far, far, 3, far, far, 3, 3, 3);
    assertThat(points.tree(null))
        .isSameAs(Selection.points(2, 3, 3, 3, far, far, 3, far, far).tree(null));
    assertThat(points.contains(3, far)).isTrue();
    assertThat(points.contains(4, far)).isFalse();
  }

  @Test
  void releasesUnusedSets() {
    WeakReference<SpanNode> forgotten =
        new WeakReference<>(Selection.points(2, 123, 456, 789, 1011).tree(null));
    for (int i = 0; i < 100 && !forgotten.refersTo(null); i++) {
      System.gc();
      Thread.onSpinWait();
    }
    assertThat(forgotten.get()).isNull();
  }

  @Test
  void makesARunOfAFullRowAndAGroupOfAColumn() {
    RunCursor rows = Selection.box(at(2, 0), at(3, 7)).runs(at(9, 7));
    assertThat(rows.next()).isTrue();
    assertThat(rows.offset()).isEqualTo(14);
    assertThat(rows.length()).isEqualTo(21);
    assertThat(rows.next()).isFalse();
    RunCursor column = Selection.box(at(0, 3), at(9, 1)).runs(at(9, 7));
    assertThat(column.nextGroup()).isTrue();
    assertThat(column.repeats()).isEqualTo(9);
    assertThat(column.stride()).isEqualTo(7);
    assertThat(column.length()).isEqualTo(1);
    assertThat(column.nextGroup()).isFalse();
  }

  @Test
  void pairsStridedElementsWithDenseMemoryInOneGroup() {
    Selection everySecond = Selection.hyperslab(at(0), at(2), at(1 << 20), at(1));
    RunPairs pairs = RunPairs.of(everySecond, at(1 << 21), Selection.all(), at(1 << 20));
    assertThat(pairs.nextGroup()).isTrue();
    assertThat(pairs.repeats()).isEqualTo(1 << 20);
    assertThat(pairs.length()).isEqualTo(1);
    assertThat(pairs.fileStride()).isEqualTo(2);
    assertThat(pairs.memoryStride()).isEqualTo(1);
    assertThat(pairs.nextGroup()).isFalse();
  }

  @Test
  void pairsAChunkOfABoxWithMemoryOfItsShapeInOneGroup() {
    Selection box = Selection.box(at(10, 10), at(80, 80));
    ChunkIterator chunks = box.chunks(at(100, 100), at(20, 20));
    List<ChunkPiece> pieces = new ArrayList<>();
    chunks.forEachRemaining(pieces::add);
    assertThat(pieces).hasSize(25);
    ChunkPiece middle = pieces.get(6);
    assertThat(middle.scaled()).containsExactly(1, 1);
    assertThat(middle.isWhole()).isTrue();
    RunPairs dense = middle.pairs(Selection.all(), at(80, 80));
    assertThat(dense.nextGroup()).isTrue();
    assertThat(dense.repeats()).isEqualTo(20);
    assertThat(dense.memoryStride()).isEqualTo(80);
    assertThat(dense.nextGroup()).isFalse();
    RunPairs shaped = middle.pairs(Selection.box(at(1, 2), at(80, 80)), at(90, 90));
    assertThat(shaped.nextGroup()).isTrue();
    assertThat(shaped.repeats()).isEqualTo(20);
    assertThat(shaped.memoryStride()).isEqualTo(90);
    assertThat(shaped.nextGroup()).isFalse();
  }

  @Test
  void visitsOnlyTouchedChunksOfAHugeGrid() {
    long far = 1L << 40;
    Selection corners =
        Selection.box(at(0, 0), at(1, 1)).or(Selection.box(at(far - 1, far - 1), at(1, 1)));
    long[] extent = at(1L << 40, 1L << 20);
    Selection inside =
        Selection.box(at(0, 0), at(1, 1)).or(Selection.box(at(far - 1, 9), at(1, 1)));
    ChunkIterator chunks = inside.chunks(extent, at(10, 10));
    assertThat(chunks.next().scaled()).containsExactly(0, 0);
    assertThat(chunks.next().scaled()).containsExactly((far - 1) / 10, 0);
    assertThat(chunks.hasNext()).isFalse();
    refuses(() -> corners.chunks(extent, at(10, 10)), "dimension 1");
    refuses(() -> inside.chunks(extent, at(10, 0)), "chunk extent: actual=0", "dimension 1");
  }

  @Test
  void distinguishesWholeChunksFromPartialOnes() {
    ChunkIterator chunks = Selection.all().chunks(at(5), at(4));
    ChunkPiece first = chunks.next();
    assertThat(first.isWhole()).isTrue();
    assertThat(first.coversExtent()).isTrue();
    ChunkPiece last = chunks.next();
    assertThat(last.isWhole()).isFalse();
    assertThat(last.coversExtent()).isTrue();
    assertThat(Selection.box(at(4), at(1)).chunks(at(6), at(4)).next().coversExtent()).isFalse();
  }

  @Test
  void growsByUnionsFromManyThreadsAsFromOne() throws Exception {
    Selection base = Selection.none();
    for (int i = 0; i < 1000; i++) {
      base = base.or(Selection.box(at(i * 3L), at(1)));
    }
    Selection shared = base;
    List<Callable<Selection>> tasks = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      int offset = t;
      tasks.add(() -> {
        Selection mine = shared;
        for (int i = 0; i < 500; i++) {
          mine = mine.or(Selection.box(at(10_000L + 16L * i + offset), at(1)));
        }
        return mine;
      });
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      int offset = 0;
      for (Future<Selection> done : threads.invokeAll(tasks)) {
        Selection expected =
            Selection.hyperslab(at(0), at(3), at(1000), at(1))
                .or(Selection.hyperslab(at(10_000L + offset++), at(16), at(500), at(1)));
        assertThat(done.get()).isEqualTo(expected);
      }
    }
    assertThat(shared.elementCount(null)).isEqualTo(1000);
  }

  @Test
  void countsAGrowingUnionWithoutComputingItEachTime() {
    Selection union = Selection.none();
    for (int i = 0; i < 30_000; i++) {
      union = union.or(Selection.box(at(3L * i), at(1 + i % 2)));
      assertThat(union.elementCount(null)).isEqualTo(i + 1 + (i + 1) / 2);
    }
    assertThat(union.or(Selection.box(at(0), at(2))).elementCount(null)).isEqualTo(45_001);
  }

  @Test
  void unitesManyBoxesWithinAMinute() {
    long before = ProcessorTime.nanos();
    Selection ascending = Selection.none();
    for (int i = 0; i < 644_742; i++) {
      ascending = ascending.or(Selection.box(at(3L * i + i % 2), at(1)));
    }
    assertThat(ascending.elementCount(null)).isEqualTo(644_742);
    assertThat(ProcessorTime.nanos() - before).isLessThan(60_000_000_000L);
  }

  /** The run 2, 7 keeps step with the blocks 2–4, 7–9, and 9 comes after that run. */
  @Test
  void entryAfterARunMayBeInTheLastBlockOfAnother() {
    Selection blocks = Selection.hyperslab(at(2), at(5), at(3), at(3));
    Selection single = Selection.none();
    for (long index : at(2, 7, 9)) {
      single = single.or(Selection.box(at(index), at(1)));
    }
    assertThat(single.or(blocks).selectsSame(blocks, at(40))).isTrue();
    assertThat(single.and(blocks).selectsSame(single, at(40))).isTrue();
    assertThat(blocks.and(single).elementCount(at(40))).isEqualTo(3);
    assertThat(blocks.andNot(single).elementCount(at(40))).isEqualTo(6);
    assertThat(single.andNot(blocks).elementCount(at(40))).isZero();
  }
}
