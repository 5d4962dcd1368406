package org.hyperslab.format.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hyperslab.format.filter.ElementLayout.NumberClass;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Encodes and decodes random chunks with random pipelines, in both kinds of memory. */
class FilterRandomTest {

  private static final int[] BYTE_FILTERS = {1, 2, 3, 307, 32000, 32001, 32004, 32008, 32015};

  @Test
  void decodesWhatItEncodes() {
    long seed = Seeds.draw();
    Random random = new Random(seed);
    try (FilterScratch scratch = new FilterScratch();
        Arena arena = Arena.ofConfined()) {
      for (int round = 0; round < 300; round++) {
        int size = 1 << random.nextInt(4);
        int count = 64 + random.nextInt(round % 20 == 0 ? 60_000 : 3000);
        FilterPipeline pipeline = pipeline(size, count, random);
        byte[] chunk = chunk(size * count, random);
        String what = "seed " + seed + " round " + round + " " + pipeline;
        MemorySegment source = MemorySegment.ofArray(chunk);
        if (random.nextBoolean()) {
          source = arena.allocate(chunk.length).copyFrom(source);
        }
        EncodedChunk encoded = pipeline.encode(source, scratch);
        byte[] stored = encoded.bytes().toArray(ValueLayout.JAVA_BYTE);
        MemorySegment target =
            random.nextBoolean()
                ? arena.allocate(chunk.length)
                : MemorySegment.ofArray(new byte[chunk.length]);
        MemorySegment input = scratch.input(stored.length);
        input.copyFrom(MemorySegment.ofArray(stored));
        pipeline.decode(new StoredChunk(input, encoded.filterMask(), what, 0), target, scratch);
        assertThat(target.mismatch(MemorySegment.ofArray(chunk))).as(what).isEqualTo(-1);
      }
    }
  }

  private static FilterPipeline pipeline(int size, int count, Random random) {
    ElementLayout element =
        ElementLayout.Number.full(
            NumberClass.INTEGER,
            size,
            random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN,
            random.nextBoolean());
    List<FilterStage> stages = new ArrayList<>();
    switch (random.nextInt(5)) {
      case 0 -> stages.add(FilterStage.optional(4, random.nextBoolean() ? 4 : 32, 16));
      case 1 -> stages.add(FilterStage.optional(6, 2, 0));
      case 2 -> stages.add(FilterStage.optional(5));
      default -> {}
    }
    int more = random.nextInt(4);
    for (int i = 0; i < more; i++) {
      int id = BYTE_FILTERS[random.nextInt(BYTE_FILTERS.length)];
      int[] user =
          switch (id) {
            case 1, 307 -> new int[] {1 + random.nextInt(9)};
            case 32001 -> new int[] {0, 0, 0, 0, 5, random.nextInt(3), random.nextInt(6)};
            case 32004 -> new int[] {random.nextInt(3) * 1000};
            case 32008 -> new int[] {0, new int[] {0, 2, 3}[random.nextInt(3)]};
            case 32015 -> new int[] {3};
            default -> new int[0];
          };
      stages.add(
          random.nextInt(5) == 0 && id != 32000 && id != 32008
              ? FilterStage.mandatory(id, user)
              : FilterStage.optional(id, user));
    }
    return FilterPipeline.of(stages).configured(FilterContext.of(element, List.of((long) count)));
  }

  private static byte[] chunk(int length, Random random) {
    byte[] bytes = new byte[length];
    int kind = random.nextInt(4);
    if (kind == 0) {
      random.nextBytes(bytes);
    } else if (kind < 3) {
      int step = 1 + random.nextInt(40);
      for (int i = 0; i < length; i++) {
        bytes[i] = (byte) (i % 8 == 0 ? i / step : random.nextInt(50) / 49);
      }
    }
    return bytes;
  }
}
