package org.hyperslab.mpiio.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

class RegularPatternTest {

  @Test
  void encodesBlocksOfThreeDimensions() {
    ExtentRuns.Builder rows = ExtentRuns.builder();
    for (long plane = 0; plane < 128; plane++) {
      rows.addRun(plane * 524_288 + 1024, 1024, 2048, 128);
    }
    ExtentRuns block = rows.build();
    long[] encoded = RegularPattern.encode(block);
    assertThat(encoded)
        .hasSize(RegularPattern.LONGS)
        .startsWith(1, 1024, 1024, 2048, 128, 524_288, 128);
    assertThat(RegularPattern.decode(encoded, 0)).isEqualTo(block);
  }

  @Test
  void encodesBlocksOfFourDimensions() {
    ExtentRuns.Builder rows = ExtentRuns.builder();
    for (long k = 0; k < 7 * 5; k++) {
      rows.addRun(300 + k / 5 * 90_000 + k % 5 * 8000, 100, 400, 6);
    }
    ExtentRuns block = rows.build();
    long[] encoded = RegularPattern.encode(block);
    assertThat(encoded).startsWith(1, 300, 100, 400, 6, 8000, 5, 90_000, 7);
    assertThat(RegularPattern.decode(encoded, 0)).isEqualTo(block);
  }

  @Test
  void doesNotEncodeIrregularLists() {
    ExtentRuns.Builder extents = ExtentRuns.builder();
    for (long i = 1; i < 30; i++) {
      extents.add(i * i * 100, i);
    }
    long[] encoded = RegularPattern.encode(extents.build());
    assertThat(RegularPattern.isEncoded(encoded)).isFalse();
    assertThat(RegularPattern.decode(encoded, 0)).isNull();
    assertThat(RegularPattern.decode(RegularPattern.encode(ExtentRuns.empty()), 0).isEmpty())
        .isTrue();
  }

  @Test
  void decodesWhatWasEncoded() {
    Seeds.run(
        500,
        random -> {
          ExtentRuns.Builder builder = ExtentRuns.builder();
          long at = random.nextInt(100);
          for (int group = random.nextInt(6); group > 0; group--) {
            long length = 1 + random.nextInt(50);
            long stride = length + random.nextInt(50);
            long count = 1 + random.nextInt(5);
            long distance = stride * count + random.nextInt(100);
            for (int run = 1 + random.nextInt(5); run > 0; run--) {
              builder.addRun(at, length, stride, count);
              at += distance;
            }
          }
          ExtentRuns list = builder.build();
          long[] encoded = RegularPattern.encode(list);
          if (RegularPattern.isEncoded(encoded)) {
            ExtentRuns told = RegularPattern.decode(encoded, 0);
            assertThat(told).isEqualTo(list);
          }
        });
  }
}
