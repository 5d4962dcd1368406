package org.hyperslab.plugins.nativevol.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Compares the ends of datasets' space with a map. */
final class PlacedEndsTest {

  @Test
  void holdsNothingAtFirst() {
    PlacedEnds ends = new PlacedEnds();
    ends.remove(800);
    assertThat(contents(ends)).isEmpty();
    assertThat(ends.size()).isZero();
  }

  @Test
  void holdsWhatAMapHolds() {
    Seeds.run(4, PlacedEndsTest::compare);
  }

  @Test
  void keepsThoseThatEndLastOfMany() {
    PlacedEnds ends = new PlacedEnds();
    int many = 20 * PlacedEnds.MOST;
    for (int i = 0; i < many; i++) {
      ends.add(96 + 8L * i, 100 * (i + 1L));
    }
    Map<Long, Long> kept = contents(ends);
    assertThat(kept).hasSize(ends.size()).hasSizeBetween(PlacedEnds.MOST / 2, 3 * PlacedEnds.MOST);
    for (int i = many - PlacedEnds.MOST / 2; i < many; i++) {
      assertThat(kept).containsEntry(96 + 8L * i, 100 * (i + 1L));
    }
  }

  private static void compare(Random random) {
    PlacedEnds ends = new PlacedEnds();
    Map<Long, Long> expected = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      long header = 96 + 8L * random.nextInt(i % 5000 < 2500 ? 40 : 4000);
      if (random.nextInt(3) == 0) {
        ends.remove(header);
        expected.remove(header);
      } else {
        long end = random.nextInt(1 << 20);
        ends.add(header, end);
        expected.merge(header, end, Math::max);
      }
      assertThat(ends.size()).as("after %d changes", i + 1).isEqualTo(expected.size());
    }
    assertThat(contents(ends)).isEqualTo(expected);
  }

  private static Map<Long, Long> contents(PlacedEnds ends) {
    Map<Long, Long> all = new HashMap<>();
    ends.forEach((header, end) -> assertThat(all.put(header, end)).as("%d", header).isNull());
    return all;
  }
}
