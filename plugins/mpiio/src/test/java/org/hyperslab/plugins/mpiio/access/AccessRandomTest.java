package org.hyperslab.plugins.mpiio.access;

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
  void runsHoldExactlyTheBytesThatWereAdded() {
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
  void memoryComesOutAndGoesInInPackedOrder() {
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
