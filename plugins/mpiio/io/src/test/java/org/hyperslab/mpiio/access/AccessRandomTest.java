package org.hyperslab.mpiio.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

class AccessRandomTest {

  private static final int SPAN = 4000;

  @Test
  void runsContainExactlyTheAddedBytes() {
    Seeds.run(
        200,
        random -> {
          boolean[] bytes = new boolean[SPAN];
          ExtentRuns list = random(random, bytes);
          assertThat(bytesOf(list)).isEqualTo(positions(bytes));
          ExtentRuns decoded = ExtentRuns.decode(list.encode(), 0, list.encode().length);
          assertThat(bytesOf(decoded)).isEqualTo(positions(bytes));
        });
  }

  @Test
  void slicesAndSeeksAgreeWithTheBytes() {
    Seeds.run(
        200,
        random -> {
          boolean[] bytes = new boolean[SPAN];
          ExtentRuns list = random(random, bytes);
          List<Integer> all = positions(bytes);
          int from = random.nextInt(all.size() + 1);
          int to = from + random.nextInt(all.size() + 1 - from);
          assertThat(bytesOf(list.slice(from, to))).isEqualTo(all.subList(from, to));
          long offset = random.nextInt(SPAN + 10);
          long before = all.stream().filter(position -> position < offset).count();
          assertThat(list.packedAt(offset)).isEqualTo(before);
          ExtentList.Cursor cursor = list.cursor();
          cursor.seekOffset(offset);
          assertThat(cursor.next()).isEqualTo(before < all.size());
          if (before < all.size()) {
            assertThat(cursor.offset()).isEqualTo((long) all.get((int) before));
            assertThat(cursor.packed()).isEqualTo(before);
          }
        });
  }

  @Test
  void packsAndUnpacksMemoryInOrder() {
    Seeds.run(
        200,
        random -> {
          boolean[] bytes = new boolean[SPAN];
          ExtentRuns list = random(random, bytes);
          List<Integer> all = positions(bytes);
          byte[] data = new byte[SPAN];
          random.nextBytes(data);
          MemoryExtents.Builder builder = MemoryExtents.builder(MemorySegment.ofArray(data));
          ExtentList.Cursor cursor = list.cursor();
          while (cursor.next()) {
            builder.add(cursor.offset(), cursor.length());
          }
          MemoryExtents memory = builder.build();
          int from = random.nextInt(all.size() + 1);
          int length = random.nextInt(all.size() + 1 - from);
          byte[] out = new byte[length + 3];
          memory.copyOut(from, MemorySegment.ofArray(out), 3, length);
          for (int i = 0; i < length; i++) {
            assertThat(out[i + 3]).isEqualTo(data[all.get(from + i)]);
            out[i + 3]++;
          }
          memory.copyIn(from, MemorySegment.ofArray(out), 3, length);
          for (int i = 0; i < length; i++) {
            assertThat(data[all.get(from + i)]).isEqualTo(out[i + 3]);
          }
        });
  }

  @Test
  void unionHoldsTheBytesOfAllLists() {
    Seeds.run(
        300,
        random -> {
          boolean[] bytes = new boolean[SPAN];
          List<ExtentRuns> lists = new ArrayList<>();
          for (int i = random.nextInt(5); i >= 0; i--) {
            lists.add(random(random, bytes));
          }
          ExtentRuns union = ExtentRuns.union(lists);
          assertThat(bytesOf(union)).isEqualTo(positions(bytes));
          ExtentList.Cursor cursor = union.cursor();
          for (long end = -1; cursor.next(); end = cursor.offset() + cursor.length()) {
            assertThat(cursor.offset()).as("adjacent extents are joined").isGreaterThan(end);
          }
          for (ExtentRuns list : lists) {
            ExtentRuns positions = list.positionsIn(union);
            assertThat(positions.totalBytes()).isEqualTo(list.totalBytes());
            List<Integer> all = bytesOf(union);
            assertThat(bytesOf(positions).stream().map(all::get).toList()).isEqualTo(bytesOf(list));
          }
        });
  }

  @Test
  void closingGapsFillsOnlySmallGaps() {
    Seeds.run(
        200,
        random -> {
          boolean[] bytes = new boolean[SPAN];
          ExtentRuns list = random(random, bytes);
          int gap = random.nextInt(30);
          int last = -1;
          for (int i = 0; i < SPAN; i++) {
            if (bytes[i]) {
              for (int k = last + 1; last >= 0 && i - last - 1 <= gap && k < i; k++) {
                bytes[k] = true;
              }
              last = i;
            }
          }
          assertThat(bytesOf(list.closingGaps(gap))).isEqualTo(positions(bytes));
        });
  }

  @Test
  void unionOfTheRowsOfABlockDistributedArrayIsOneExtent() {
    List<ExtentRuns> lists = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      ExtentRuns.Builder rows = ExtentRuns.builder();
      for (long plane = 0; plane < 64; plane++) {
        long start = 100 + plane * 64 * 512 + (rank / 2) * 32L * 512 + (rank % 2) * 256L;
        rows.addRun(start, 256, 512, 32);
      }
      lists.add(rows.build());
    }
    assertThat(ExtentRuns.union(lists)).isEqualTo(ExtentRuns.of(100, 64 * 64 * 512));
    List<ExtentRuns> cut =
        lists.stream().map(l -> ExtentRuns.copyOf(l.within(700, 90_000))).toList();
    assertThat(ExtentRuns.union(cut)).isEqualTo(ExtentRuns.of(700, 90_000 - 700));
  }

  @Test
  void regularPatternsAreOneRun() {
    ExtentRuns.Builder builder = ExtentRuns.builder();
    for (long i = 0; i < 1_000_000; i++) {
      builder.add((1L << 40) + i * 512, 128);
    }
    ExtentRuns list = builder.build();
    assertThat(list.runs()).isEqualTo(1);
    assertThat(list).isEqualTo(ExtentRuns.strided(1L << 40, 128, 512, 1_000_000));
    assertThat(list.totalBytes()).isEqualTo(128_000_000);
    assertThat(list.endExclusive()).isEqualTo((1L << 40) + 999_999L * 512 + 128);
  }

  @Test
  void rejectsExtentsOutOfOrder() {
    assertThatThrownBy(() -> ExtentRuns.builder().add(100, 10).add(105, 1))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("expected=at or after 110");
    assertThatThrownBy(() -> ExtentRuns.strided(0, 10, 5, 2))
        .isInstanceOf(InvalidUseException.class);
    assertThatThrownBy(() -> MemoryExtents.builder(MemorySegment.ofArray(new byte[8])).add(4, 5))
        .isInstanceOf(InvalidUseException.class);
  }

  private static ExtentRuns random(Random random, boolean[] bytes) {
    ExtentRuns.Builder builder = ExtentRuns.builder();
    int at = random.nextInt(50);
    while (at < SPAN && random.nextInt(12) > 0) {
      int length = 1 + random.nextInt(random.nextBoolean() ? 3 : 40);
      int stride = length + random.nextInt(4);
      int count = random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(12);
      if (at + (count - 1) * stride + length > SPAN) {
        break;
      }
      if (random.nextBoolean()) {
        builder.addRun(at, length, stride, count);
      } else {
        for (int k = 0; k < count; k++) {
          builder.add(at + k * stride, length);
        }
      }
      for (int k = 0; k < count; k++) {
        for (int i = 0; i < length; i++) {
          bytes[at + k * stride + i] = true;
        }
      }
      at += (count - 1) * stride + length + (random.nextBoolean() ? 0 : random.nextInt(60));
    }
    return builder.build();
  }

  private static List<Integer> positions(boolean[] bytes) {
    List<Integer> positions = new ArrayList<>();
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i]) {
        positions.add(i);
      }
    }
    return positions;
  }

  private static List<Integer> bytesOf(ExtentList list) {
    List<Integer> positions = new ArrayList<>();
    ExtentList.Cursor cursor = list.cursor();
    while (cursor.next()) {
      assertThat(cursor.packed()).isEqualTo(positions.size());
      for (long i = 0; i < cursor.length(); i++) {
        positions.add((int) (cursor.offset() + i));
      }
    }
    assertThat(list.totalBytes()).isEqualTo(positions.size());
    return positions;
  }
}
