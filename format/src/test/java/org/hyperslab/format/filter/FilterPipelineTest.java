package org.hyperslab.format.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.junit.jupiter.api.Test;

class FilterPipelineTest {

  private final FilterScratch scratch = new FilterScratch();

  private static byte[] smooth(int doubles) {
    byte[] bytes = new byte[doubles * 8];
    MemorySegment segment = MemorySegment.ofArray(bytes);
    for (int i = 0; i < doubles; i++) {
      segment.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, i * 8L, Math.rint(1e4 * Math.sin(i / 100.0)));
    }
    return bytes;
  }

  private static byte[] noise(int length) {
    byte[] bytes = new byte[length];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  private static FilterPipeline pipeline(FilterStage... stages) {
    return FilterPipeline.of(List.of(stages));
  }

  private EncodedChunk encode(FilterPipeline pipeline, byte[] chunk) {
    EncodedChunk encoded = pipeline.encode(MemorySegment.ofArray(chunk), scratch);
    byte[] copy = encoded.bytes().toArray(ValueLayout.JAVA_BYTE);
    return new EncodedChunk(MemorySegment.ofArray(copy), encoded.filterMask());
  }

  private static StoredChunk stored(EncodedChunk chunk) {
    return new StoredChunk(chunk.bytes(), chunk.filterMask(), "test.h5", 4096);
  }

  private byte[] decode(FilterPipeline pipeline, EncodedChunk chunk, int expected) {
    return pipeline.decode(stored(chunk), expected, scratch).toArray(ValueLayout.JAVA_BYTE);
  }

  @Test
  void storesWithoutFiltersAsIs() {
    byte[] chunk = noise(100);
    EncodedChunk encoded = encode(FilterPipeline.NONE, chunk);
    assertThat(encoded.filterMask()).isZero();
    assertThat(decode(FilterPipeline.NONE, encoded, 100)).isEqualTo(chunk);
  }

  @Test
  void roundTripsFromAndToEveryKindOfMemory() {
    FilterPipeline pipeline =
        pipeline(FilterStage.optional(2, 8), FilterStage.mandatory(1, 4), FilterStage.mandatory(3));
    byte[] chunk = smooth(10_001);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment offHeap = arena.allocate(chunk.length);
      offHeap.copyFrom(MemorySegment.ofArray(chunk));
      EncodedChunk fromHeap = encode(pipeline, chunk);
      EncodedChunk encoded = pipeline.encode(offHeap, scratch);
      assertThat(encoded.bytes().mismatch(fromHeap.bytes())).isEqualTo(-1);
      assertThat(encoded.bytes().byteSize()).isLessThan(chunk.length / 3);
      assertThat(decode(pipeline, fromHeap, chunk.length)).isEqualTo(chunk);
      offHeap.fill((byte) 0);
      pipeline.decode(stored(fromHeap), offHeap, scratch);
      assertThat(offHeap.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(chunk);
      MemorySegment doubles = MemorySegment.ofArray(new double[10_001]);
      pipeline.decode(stored(fromHeap), doubles, scratch);
      assertThat(doubles.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(chunk);
      byte[] padded = new byte[chunk.length + 20];
      pipeline.decode(
          stored(fromHeap), MemorySegment.ofArray(padded).asSlice(7, chunk.length), scratch);
      assertThat(Arrays.copyOfRange(padded, 7, 7 + chunk.length)).isEqualTo(chunk);
    }
  }

  @Test
  void skipsAnOptionalCompressorThatFailsWhereItDoesNotShrink() {
    byte[] chunk = noise(5000);
    FilterPipeline optional = pipeline(FilterStage.mandatory(2, 4), FilterStage.optional(32000));
    EncodedChunk encoded = encode(optional, chunk);
    assertThat(encoded.filterMask()).isEqualTo(2);
    assertThat(encoded.bytes().byteSize()).isEqualTo(5000);
    assertThat(decode(optional, encoded, 5000)).isEqualTo(chunk);
  }

  @Test
  void storesChunksThatCompressionWouldEnlargeUncompressed() {
    byte[] chunk = noise(5000);
    for (boolean optional : new boolean[] {false, true}) {
      FilterPipeline deflate =
          pipeline(optional ? FilterStage.optional(1, 6) : FilterStage.mandatory(1, 6));
      EncodedChunk grown = encode(deflate, chunk);
      assertThat(grown.filterMask()).isZero();
      assertThat(grown.bytes().byteSize()).isGreaterThan(5000);
      assertThat(decode(deflate, grown, 5000)).isEqualTo(chunk);
    }
  }

  @Test
  void namesTheFilterThatIsMissing() {
    FilterPipeline absent = pipeline(FilterStage.mandatory(32024));
    EncodedChunk chunk = new EncodedChunk(MemorySegment.ofArray(new byte[8]), 0);
    assertThatThrownBy(() -> decode(absent, chunk, 8))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("32024")
        .hasMessageContaining("SZ3")
        .hasMessageContaining("class path");
    assertThat(decode(absent, new EncodedChunk(chunk.bytes(), 1), 8)).hasSize(8);
    assertThatThrownBy(() -> encode(absent, new byte[8]))
        .isInstanceOf(UnsupportedFeatureException.class);
    FilterPipeline optional = pipeline(FilterStage.optional(32024));
    assertThat(encode(optional, new byte[8]).filterMask()).isEqualTo(1);
  }

  @Test
  void reportsDamageWithFileFilterAndAddress() {
    FilterPipeline pipeline = pipeline(FilterStage.mandatory(1, 6));
    EncodedChunk encoded = encode(pipeline, smooth(1000));
    encoded.bytes().set(ValueLayout.JAVA_BYTE, 0, (byte) 0);
    assertThatThrownBy(() -> decode(pipeline, encoded, 8000))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("deflate")
        .hasMessageContaining("test.h5@4096");
  }

  @Test
  void refusesChunksOfTheWrongSize() {
    FilterPipeline pipeline = pipeline(FilterStage.mandatory(1, 6));
    EncodedChunk encoded = encode(pipeline, smooth(1000));
    for (int wrong : new int[] {0, 7999, 8001, 100_000}) {
      assertThatThrownBy(() -> decode(pipeline, encoded, wrong))
          .isInstanceOf(CorruptFileException.class);
    }
  }

  @Test
  void boundsDecompressionBombs() {
    FilterPipeline pipeline = pipeline(FilterStage.mandatory(1, 9));
    EncodedChunk bomb = encode(pipeline, new byte[50_000_000]);
    assertThatThrownBy(() -> decode(pipeline, bomb, 1000))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("too long");
    EncodedChunk tiny = new EncodedChunk(bomb.bytes().asSlice(0, 30), 0);
    assertThatThrownBy(() -> pipeline.decode(stored(tiny), 1L << 40, scratch))
        .isInstanceOf(CorruptFileException.class);
  }

  @Test
  void detectsAWrongChecksum() {
    FilterPipeline pipeline = pipeline(FilterStage.mandatory(3));
    byte[] chunk = noise(1001);
    EncodedChunk encoded = encode(pipeline, chunk);
    assertThat(decode(pipeline, encoded, 1001)).isEqualTo(chunk);
    byte[] bytes = encoded.bytes().toArray(ValueLayout.JAVA_BYTE);
    byte[] old = bytes.clone();
    old[1001] = bytes[1002];
    old[1002] = bytes[1001];
    old[1003] = bytes[1004];
    old[1004] = bytes[1003];
    assertThat(decode(pipeline, new EncodedChunk(MemorySegment.ofArray(old), 0), 1001))
        .as("checksum as HDF5 1.6.2 stored it")
        .isEqualTo(chunk);
    bytes[500] ^= 1;
    assertThatThrownBy(
            () -> decode(pipeline, new EncodedChunk(MemorySegment.ofArray(bytes), 0), 1001))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("checksum");
  }

  @Test
  void keepsOptionalFiltersThatAreMissing() {
    FilterContext context = FilterContext.of(new ElementLayout.Other(8), List.of(100L));
    FilterPipeline pipeline = pipeline(FilterStage.optional(32024), FilterStage.optional(2));
    FilterPipeline configured = pipeline.configured(context);
    assertThat(configured.stages())
        .containsExactly(FilterStage.optional(32024), FilterStage.optional(2, 8));
    byte[] chunk = noise(800);
    EncodedChunk encoded = encode(configured, chunk);
    assertThat(encoded.filterMask()).isEqualTo(1);
    assertThat(decode(configured, encoded, 800)).isEqualTo(chunk);
  }

  @Test
  void refusesParametersThatSuitNoDatasetEvenOfOptionalFilters() {
    FilterContext context = FilterContext.of(new ElementLayout.Other(8), List.of(100L));
    for (FilterStage stage : List.of(FilterStage.optional(1, 77), FilterStage.mandatory(1, 77))) {
      assertThatThrownBy(() -> pipeline(stage).configured(context))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("expected=one level from 0 to 9");
    }
  }

  @Test
  void refusesMoreStagesThanTheMaskHasBits() {
    FilterStage[] many = new FilterStage[33];
    Arrays.fill(many, FilterStage.mandatory(2, 4));
    assertThatThrownBy(() -> pipeline(many)).isInstanceOf(InvalidUseException.class);
  }
}
