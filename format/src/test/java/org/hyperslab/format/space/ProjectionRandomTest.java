package org.hyperslab.format.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.hyperslab.error.InvalidUseException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compares projections between dataspaces with {@link SelectionModel}. */
class ProjectionRandomTest {

  private static final int ROUNDS = 2000;

  private Random random;

  @BeforeEach
  void seed() {
    random = new Random(SelectionModel.seed());
  }

  private SelectionModel anySelection(long[] extent) {
    return extent.length > 0 && random.nextInt(6) == 0
        ? SelectionModel.randomPoints(random, extent, random.nextInt(20) + 1)
        : SelectionModel.random(random, extent);
  }

  @Test
  void carriesAnIntersectionOver() {
    int checked = 0;
    for (int round = 0; round < ROUNDS || checked < 100; round++) {
      long[] extent = SelectionModel.randomExtent(random, random.nextInt(4), 9);
      SelectionModel source = anySelection(extent);
      SelectionModel intersect = SelectionModel.random(random, extent);
      for (int attempt = 0; attempt < 20; attempt++) {
        long[] otherExtent = SelectionModel.randomExtent(random, random.nextInt(4), 9);
        SelectionModel destination = anySelection(otherExtent);
        if (destination.order().size() == source.order().size()) {
          checkIntersection(extent, source, intersect, otherExtent, destination);
          checked++;
          break;
        }
      }
    }
  }

  private static void checkIntersection(
      long[] extent,
      SelectionModel source,
      SelectionModel intersect,
      long[] otherExtent,
      SelectionModel destination) {
    List<Long> expected = new ArrayList<>();
    for (int n = 0; n < source.order().size(); n++) {
      if (intersect.set().get((int) (long) source.order().get(n))) {
        expected.add(destination.order().get(n));
      }
    }
    Selection projected =
        source
            .selection()
            .projectIntersection(
                extent, destination.selection(), otherExtent, intersect.selection());
    assertThat(SelectionModel.visited(projected.runs(otherExtent))).isEqualTo(expected);
  }

  @Test
  void dropsAndInsertsDimensions() {
    for (int round = 0; round < ROUNDS; round++) {
      long[] extent = SelectionModel.randomExtent(random, 1 + random.nextInt(3), 7);
      SelectionModel model = anySelection(extent);
      int at = random.nextInt(extent.length + 1);
      long index = random.nextInt(5);
      long[] wider = new long[extent.length + 1];
      Arrays.setAll(wider, d -> d == at ? 5 : extent[d < at ? d : d - 1]);
      Selection inserted = model.selection().insertDimension(at, index);
      assertThat(inserted.dropDimension(at)).isEqualTo(model.selection());
      if (model.selection().rank() == Selection.ANY_RANK) {
        continue;
      }
      List<Long> visited = SelectionModel.visited(inserted.runs(wider));
      assertThat(visited).hasSameSizeAs(model.order());
      for (int n = 0; n < visited.size(); n++) {
        long[] narrow = SelectionModel.coordinates(extent, model.order().get(n));
        long[] wide = SelectionModel.coordinates(wider, visited.get(n));
        for (int d = 0; d < wide.length; d++) {
          assertThat(wide[d]).isEqualTo(d == at ? index : narrow[d < at ? d : d - 1]);
        }
      }
    }
  }

  @Test
  void refusesToDropADimensionOfSeveralIndices() {
    assertThatThrownBy(() -> Selection.box(new long[] {0, 3}, new long[] {2, 1}).dropDimension(0))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("dimension 0");
    assertThat(Selection.box(new long[] {0, 3}, new long[] {2, 1}).dropDimension(1))
        .isEqualTo(Selection.box(new long[] {0}, new long[] {2}));
  }

  @Test
  void refusesToPairDifferentNumbersOfElements() {
    Selection two = Selection.box(new long[] {0}, new long[] {2});
    Selection three = Selection.box(new long[] {0}, new long[] {3});
    long[] extent = {10};
    assertThatThrownBy(() -> two.projectIntersection(extent, three, extent, two))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("actual=3, expected=2");
    assertThatThrownBy(() -> RunPairs.of(two, extent, three, extent))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("actual=3, expected=2");
  }
}
