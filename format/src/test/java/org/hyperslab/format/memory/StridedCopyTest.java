package org.hyperslab.format.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.hyperslab.format.memory.StridedCopy.Steps;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that runs at equal distances are copied as a loop over single bytes would copy them. */
final class StridedCopyTest {

  private static final int RUNS = 37;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 8, 12, 16, 200})
  void runsOfAnyLengthAndDistanceAreCopied(int runBytes) {
    for (int sourceGap : new int[] {0, 1, runBytes, 2 * runBytes}) {
      for (int targetGap : new int[] {0, 3, runBytes}) {
        Steps from = new Steps(5, runBytes + sourceGap);
        Steps to = new Steps(3, runBytes + targetGap);
        MemorySegment source = numbered((int) (from.offset() + RUNS * from.stride()));
        byte[] expected = new byte[(int) (to.offset() + RUNS * to.stride())];
        for (int run = 0; run < RUNS; run++) {
          for (int i = 0; i < runBytes; i++) {
            expected[(int) (to.offset() + run * to.stride() + i)] =
                source.get(ValueLayout.JAVA_BYTE, from.offset() + run * from.stride() + i);
          }
        }
        try (Arena arena = Arena.ofConfined()) {
          for (MemorySegment target :
              new MemorySegment[] {
                MemorySegment.ofArray(new byte[expected.length]), arena.allocate(expected.length)
              }) {
            StridedCopy.copy(source, from, target, to, runBytes, RUNS);
            assertThat(target.toArray(ValueLayout.JAVA_BYTE))
                .as("runs of %d, gaps of %d and %d", runBytes, sourceGap, targetGap)
                .isEqualTo(expected);
          }
        }
      }
    }
  }

  private static MemorySegment numbered(int bytes) {
    byte[] array = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      array[i] = (byte) (i * 31 + i / 256);
    }
    return MemorySegment.ofArray(array);
  }

  /** The source ends with the last element, and the numbers of elements are those of blocks. */
  @ParameterizedTest
  @ValueSource(ints = {63, 64, 65, 1023, 1024, 1025, 1026, 2049, 16_384, 16_385, 40_000})
  void everySecondElementOfAnyNumberIsCopied(int elements) {
    for (int size : new int[] {4, 8}) {
      MemorySegment source = numbered(3 + (2 * elements - 1) * size);
      byte[] target = new byte[elements * size + 2];
      byte[] expected = target.clone();
      for (int i = 0; i < elements * size; i++) {
        expected[1 + i] = source.get(ValueLayout.JAVA_BYTE, 3 + i + (long) i / size * size);
      }
      StridedCopy.copy(
          source,
          new Steps(3, 2L * size),
          MemorySegment.ofArray(target),
          new Steps(1, size),
          size,
          elements);
      assertThat(target).as("elements of %d bytes", size).isEqualTo(expected);
    }
  }

  @Test
  void everySecondElementBeyondTheSegmentIsRefused() {
    MemorySegment source = MemorySegment.ofArray(new byte[79]);
    MemorySegment target = MemorySegment.ofArray(new byte[80]);
    for (int size : new int[] {4, 8}) {
      Steps from = new Steps(8, 2L * size);
      Steps to = new Steps(0, size);
      assertThatThrownBy(() -> StridedCopy.copy(source, from, target, to, size, 10))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    MemorySegment many = MemorySegment.ofArray(new byte[8 * 2000]);
    assertThatThrownBy(
            () -> StridedCopy.copy(many, new Steps(8, 8), many, new Steps(0, 4), 4, 2000))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
