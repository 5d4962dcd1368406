package org.hyperslab.format.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.hyperslab.error.HyperslabException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests every codec on chunks that the HDF5 library encoded. */
class GoldenChunksTest {

  /** Filters whose encoded form leaves no choice: shuffle, Fletcher-32, nbit, scale-offset. */
  private static final Set<Integer> EXACT = Set.of(2, 3, 5, 6);

  private static final FilterScratch SCRATCH = new FilterScratch();

  static List<GoldenChunks.Chunk> chunks() {
    return Stream.of("golden", "vbz", "zfp", "blosc2")
        .flatMap(family -> GoldenChunks.load(family).stream())
        .toList();
  }

  /** Chunks whose filters encode, too. */
  static List<GoldenChunks.Chunk> encodable() {
    return Stream.of("golden", "vbz")
        .flatMap(family -> GoldenChunks.load(family).stream())
        .toList();
  }

  private static FilterPipeline pipeline(GoldenChunks.Chunk chunk) {
    return FilterPipeline.of(chunk.stages);
  }

  private static byte[] decode(FilterPipeline pipeline, byte[] stored, int mask, int expected) {
    StoredChunk chunk = new StoredChunk(MemorySegment.ofArray(stored), mask, "golden", 0);
    byte[] target = new byte[expected];
    pipeline.decode(chunk, MemorySegment.ofArray(target), SCRATCH);
    return target;
  }

  @ParameterizedTest
  @MethodSource("chunks")
  void decodesWhatTheLibraryEncoded(GoldenChunks.Chunk chunk) {
    assertThat(decode(pipeline(chunk), chunk.stored, 0, chunk.elements.length))
        .isEqualTo(chunk.elements);
  }

  @ParameterizedTest
  @MethodSource("encodable")
  void decodesItsOwnEncodings(GoldenChunks.Chunk chunk) {
    FilterPipeline pipeline = pipeline(chunk);
    assumeFalse(chunk.name.equals("nbit-lost-member"), "encoding it would lose a member");
    EncodedChunk encoded = pipeline.encode(MemorySegment.ofArray(chunk.elements), SCRATCH);
    byte[] stored = encoded.bytes().toArray(ValueLayout.JAVA_BYTE);
    assertThat(encoded.filterMask()).as("nothing is skipped").isZero();
    assertThat(decode(pipeline, stored, 0, chunk.elements.length)).isEqualTo(chunk.elements);
    boolean exact = chunk.stages.stream().allMatch(stage -> EXACT.contains(stage.id()));
    if (exact) {
      assertThat(stored).as("same bytes as the library's").isEqualTo(chunk.stored);
    }
    if (chunk.name.startsWith("szip")) {
      assertThat(stored).hasSizeLessThanOrEqualTo(chunk.stored.length);
    }
  }

  @ParameterizedTest
  @MethodSource("chunks")
  void damagedChunksEndInTypedErrorsOrBoundedOutput(GoldenChunks.Chunk chunk) {
    long seed = Long.getLong("hyperslab.seed", 77L);
    Random random = new Random(seed ^ chunk.name.hashCode());
    FilterPipeline pipeline = pipeline(chunk);
    for (int round = 0; round < 25; round++) {
      byte[] damaged = chunk.stored.clone();
      if (round % 3 == 0) {
        damaged = Arrays.copyOf(damaged, random.nextInt(damaged.length + 1));
      }
      for (int i = random.nextInt(4); i >= 0 && damaged.length > 0; i--) {
        int at =
            random.nextInt(random.nextBoolean() ? Math.min(20, damaged.length) : damaged.length);
        damaged[at] = (byte) random.nextInt();
      }
      try {
        decode(pipeline, damaged, 0, chunk.elements.length);
      } catch (HyperslabException typed) {
        assertThat(typed).as("seed %d", seed).hasMessageContaining("golden");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("chunks")
  void damagedParametersEndInTypedErrorsOrBoundedOutput(GoldenChunks.Chunk chunk) {
    long seed = Long.getLong("hyperslab.seed", 78L);
    Random random = new Random(seed ^ chunk.name.hashCode());
    for (int round = 0; round < 20; round++) {
      List<FilterStage> stages = chunk.stages.stream().map(stage -> damage(stage, random)).toList();
      try {
        decode(FilterPipeline.of(stages), chunk.stored, 0, chunk.elements.length);
      } catch (HyperslabException typed) {
        assertThat(typed).as("seed %d", seed).hasMessageContaining("golden");
      }
    }
  }

  private static FilterStage damage(FilterStage stage, Random random) {
    int[] values = stage.clientDataArray();
    int[] wild = {0, 1, -1, 2, 7, 255, 65_536, Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << 20};
    if (random.nextInt(4) == 0) {
      values = Arrays.copyOf(values, random.nextInt(values.length + 2));
    }
    for (int i = random.nextInt(3); i >= 0 && values.length > 0; i--) {
      values[random.nextInt(values.length)] = wild[random.nextInt(wild.length)];
    }
    return stage.withClientData(values);
  }
}
