package org.hyperslab.format.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

class FilterRegistryTest {

  @Test
  void holdsTheBuiltInFilters() {
    assertThat(FilterRegistry.standard().ids())
        .contains(1, 2, 3, 4, 5, 6, 307, 32000, 32001, 32004, 32008, 32015);
  }

  @Test
  void adaptsPluginsOfJhdf() {
    FilterPipeline pipeline = FilterPipeline.of(List.of(FilterStage.mandatory(65_000)));
    byte[] chunk = {1, 2, 3, -128};
    try (FilterScratch scratch = new FilterScratch()) {
      EncodedChunk encoded = pipeline.encode(MemorySegment.ofArray(chunk), scratch);
      byte[] stored = encoded.bytes().toArray(ValueLayout.JAVA_BYTE);
      assertThat(stored).containsExactly(~1, ~2, ~3, 127);
      StoredChunk back = new StoredChunk(MemorySegment.ofArray(stored), 0, "x.h5", 0);
      assertThat(pipeline.decode(back, 4, scratch).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(chunk);
    }
  }

  @Test
  void firstFilterOfANumberWins() {
    Filter first = new DeflateFilter();
    assertThat(FilterRegistry.of(List.of(first, new DeflateFilter())).find(1)).containsSame(first);
    assertThat(FilterRegistry.of(List.of()).find(1)).isEmpty();
  }
}
