package org.hyperslab.format.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compares selections in small random extents with {@link SelectionModel}. */
class SelectionRandomTest {

  private static final int ROUNDS = 1500;

  private Random random;

  @BeforeEach
  void seed() {
    random = new Random(SelectionModel.seed());
  }

  private long[] extent() {
    int rank = random.nextInt(5);
    return SelectionModel.randomExtent(random, rank, rank < 3 ? 12 : 5);
  }

  private static BitSet elements(Selection selection, long[] extent) {
    BitSet set = new BitSet();
    SelectionModel.visited(selection.clip(extent).runs(extent))
        .forEach(i -> set.set((int) (long) i));
    return set;
  }

  @Test
  void visitsJustTheSelectedElementsInOrder() {
    for (int round = 0; round < ROUNDS; round++) {
      long[] extent = extent();
      SelectionModel model = SelectionModel.random(random, extent);
      assertThat(SelectionModel.visited(model.selection().runs(extent))).isEqualTo(model.order());
      assertThat(SelectionModel.visitedInGroups(model.selection().runs(extent)))
          .isEqualTo(model.order());
      assertThat(model.selection().elementCount(extent)).isEqualTo(model.order().size());
    }
  }

  @Test
  void mergesEveryRunThatTouchesTheOneBefore() {
    for (int round = 0; round < ROUNDS; round++) {
      long[] extent = extent();
      SelectionModel model = SelectionModel.random(random, extent);
      RunCursor runs = model.selection().runs(extent);
      long end = -1;
      while (runs.next()) {
        assertThat(runs.offset()).isGreaterThan(end);
        end = runs.offset() + runs.length();
      }
    }
  }

  @Test
  void visitsAnyPartByOrdinals() {
    for (int round = 0; round < ROUNDS; round++) {
      long[] extent = extent();
      SelectionModel model =
          random.nextInt(4) == 0 && extent.length > 0
              ? SelectionModel.randomPoints(random, extent, 1 + random.nextInt(20))
              : SelectionModel.random(random, extent);
      int total = model.order().size();
      int first = random.nextInt(total + 2);
      int count = random.nextInt(total + 2);
      List<Long> expected =
          model.order().subList(Math.min(first, total), Math.min(first + count, total));
      assertThat(SelectionModel.visited(model.selection().runs(extent, first, count)))
          .isEqualTo(expected);
      assertThat(SelectionModel.visitedInGroups(model.selection().runs(extent, first, count)))
          .isEqualTo(expected);
    }
  }

  @Test
  void givesBatchesAndOrdinals() {
    for (int round = 0; round < ROUNDS; round++) {
      long[] extent = extent();
      SelectionModel model = SelectionModel.random(random, extent);
      RunCursor runs = model.selection().runs(extent);
      long[] offsets = new long[1 + random.nextInt(5)];
      long[] lengths = new long[offsets.length];
      List<Long> visited = new ArrayList<>();
      int taken;
      do {
        taken = runs.next(offsets, lengths);
        for (int i = 0; i < taken; i++) {
          for (long k = 0; k < lengths[i]; k++) {
            visited.add(offsets[i] + k);
          }
        }
        if (random.nextBoolean() && runs.next()) {
          assertThat(runs.ordinal()).isEqualTo(visited.size());
          for (long k = 0; k < runs.length(); k++) {
            visited.add(runs.offset() + k);
          }
          taken = offsets.length;
        }
      } while (taken == offsets.length);
      assertThat(visited).isEqualTo(model.order());
    }
  }

  @Test
  void combinesAsSets() {
    for (int round = 0; round < ROUNDS; round++) {
      long[] extent = extent();
      SelectionModel a = operand(extent);
      SelectionModel b = operand(extent);
      BitSet or = (BitSet) a.set().clone();
      or.or(b.set());
      BitSet and = (BitSet) a.set().clone();
      and.and(b.set());
      BitSet xor = (BitSet) a.set().clone();
      xor.xor(b.set());
      BitSet andNot = (BitSet) a.set().clone();
      andNot.andNot(b.set());
      Selection first = limited(a, extent);
      Selection second = limited(b, extent);
      check(first.or(second), or, extent);
      check(first.and(second), and, extent);
      check(first.xor(second), xor, extent);
      check(first.andNot(second), andNot, extent);
      check(first.notB(second), andNot, extent);
      check(second.notA(first), andNot, extent);
      BitSet complement = new BitSet();
      complement.set(0, SelectionModel.volume(extent));
      complement.andNot(a.set());
      check(first.complement(extent), complement, extent);
    }
  }

  private SelectionModel operand(long[] extent) {
    return extent.length > 0 && random.nextInt(6) == 0
        ? SelectionModel.randomPoints(random, extent, 1 + random.nextInt(10))
        : SelectionModel.random(random, extent);
  }

  private static Selection limited(SelectionModel model, long[] extent) {
    return model.selection() instanceof AllSelection
        ? Selection.box(new long[extent.length], extent)
        : model.selection();
  }

  private static void check(Selection actual, BitSet expected, long[] extent) {
    assertThat(elements(actual, extent)).isEqualTo(expected);
    assertThat(actual.tree(extent)).isSameAs(byPoints(expected, extent));
  }

  /** The same set made in the dullest way; hash consing must find the same node. */
  private static SpanNode byPoints(BitSet set, long[] extent) {
    if (set.isEmpty()) {
      return SpanNode.EMPTY;
    }
    if (extent.length == 0) {
      return SpanNode.UNIT;
    }
    long[] coordinates =
        set.stream()
            .mapToObj(i -> SelectionModel.coordinates(extent, i))
            .flatMapToLong(Arrays::stream)
            .toArray();
    return Selection.points(extent.length, coordinates).tree(extent);
  }

  @Test
  void unitesManyAtOnceAsOneAtATime() {
    for (int round = 0; round < ROUNDS / 4; round++) {
      long[] extent = extent();
      List<Selection> selections = new ArrayList<>();
      BitSet expected = new BitSet();
      Selection oneByOne = Selection.none();
      for (int i = random.nextInt(20); i >= 0; i--) {
        SelectionModel model = SelectionModel.randomHyperslab(random, extent);
        selections.add(model.selection());
        expected.or(model.set());
        oneByOne = oneByOne.or(model.selection());
        assertThat(oneByOne.elementCount(extent)).isEqualTo(expected.cardinality());
        if (random.nextInt(5) == 0) {
          assertThat(elements(oneByOne, extent)).isEqualTo(expected);
        }
      }
      check(Selection.union(selections), expected, extent);
      check(oneByOne, expected, extent);
      assertThat(oneByOne).isEqualTo(Selection.union(selections));
    }
  }

  @Test
  void findsOrdinalsAndCoordinates() {
    for (int round = 0; round < ROUNDS; round++) {
      long[] extent = extent();
      SelectionModel model = operand(extent);
      for (int i = 0; i < SelectionModel.volume(extent); i++) {
        long[] at = SelectionModel.coordinates(extent, i);
        assertThat(model.selection().contains(at)).isEqualTo(model.set().get(i));
        assertThat(model.selection().ordinalOf(extent, at))
            .isEqualTo(model.order().indexOf((long) i));
      }
      for (int n = 0; n < model.order().size(); n++) {
        assertThat(model.selection().offsetAt(extent, n)).isEqualTo(model.order().get(n));
      }
    }
  }

  @Test
  void clipsMovesAndBounds() {
    for (int round = 0; round < ROUNDS; round++) {
      long[] extent = extent();
      SelectionModel model = SelectionModel.randomTree(random, extent, random.nextInt(4));
      if (model.set().isEmpty()) {
        continue;
      }
      Selection.Bounds bounds = model.selection().bounds(extent);
      long[] smaller = new long[extent.length];
      Arrays.setAll(smaller, d -> random.nextInt((int) extent[d] + 1));
      long[] back = new long[extent.length];
      for (int d = 0; d < extent.length; d++) {
        int dimension = d;
        long[] values =
            model.set().stream()
                .mapToLong(i -> SelectionModel.coordinates(extent, i)[dimension])
                .sorted()
                .toArray();
        assertThat(bounds.low(d)).isEqualTo(values[0]);
        assertThat(bounds.high(d)).isEqualTo(values[values.length - 1]);
        back[d] = -values[0];
      }
      BitSet clipped = new BitSet();
      model.set().stream()
          .filter(i -> inside(SelectionModel.coordinates(extent, i), smaller))
          .forEach(clipped::set);
      check(model.selection().clip(smaller), clipped, extent);
      Selection moved = model.selection().offset(back);
      assertThat(moved.elementCount(extent)).isEqualTo(model.order().size());
      long[] forth = Arrays.stream(back).map(v -> -v).toArray();
      assertThat(moved.offset(forth)).isEqualTo(model.selection());
    }
  }

  private static boolean inside(long[] at, long[] extent) {
    boolean inside = true;
    for (int d = 0; d < extent.length; d++) {
      inside &= at[d] < extent[d];
    }
    return inside;
  }
}
