package org.hyperslab.plugins.nativevol.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Compares sets of ranges with sets of bits. */
final class RangeSetTest {

  private static final int ADDRESSES = 300;

  private final RangeSet ranges = new RangeSet();
  private final BitSet bits = new BitSet();

  /** The ends of two ranges that are extended by turns. */
  private final int[] ends = {0, ADDRESSES / 2};

  @Test
  void holdsTheAddressesThatWereAdded() {
    Seeds.run(
        20,
        random -> {
          ranges.clear();
          bits.clear();
          for (int i = 0; i < 500; i++) {
            change(random);
            compare(random);
          }
        });
  }

  private void change(Random random) {
    int start = random.nextInt(ADDRESSES);
    int end = start + 1 + random.nextInt(20);
    switch (random.nextInt(12)) {
      case 0 -> {
        ranges.remove(start, end);
        bits.clear(start, end);
      }
      case 1, 2 -> add(start, end);
      default -> {
        int which = random.nextInt(2);
        int from = ends[which] < ADDRESSES ? ends[which] : random.nextInt(ADDRESSES);
        ends[which] = from + 1 + random.nextInt(6);
        add(from, ends[which]);
      }
    }
  }

  private void add(int start, int end) {
    ranges.add(start, end);
    bits.set(start, end);
  }

  private void compare(Random random) {
    int start = random.nextInt(ADDRESSES);
    int end = start + 1 + random.nextInt(30);
    boolean all = bits.nextClearBit(start) >= end;
    assertThat(ranges.covers(start, end)).as("%d to %d", start, end).isEqualTo(all);
    if (random.nextInt(4) == 0) {
      BitSet inside = new BitSet();
      BitSet outside = new BitSet();
      ranges.split(
          start,
          end,
          (from, to) -> inside.set((int) from, (int) to),
          (from, to) -> outside.set((int) from, (int) to));
      BitSet expected = (BitSet) bits.clone();
      expected.clear(0, start);
      expected.clear(end, ADDRESSES * 2);
      assertThat(inside).isEqualTo(expected);
      outside.or(inside);
      assertThat(outside.cardinality()).isEqualTo(end - start);
    }
  }
}
