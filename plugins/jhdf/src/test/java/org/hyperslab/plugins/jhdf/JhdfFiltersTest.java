package org.hyperslab.plugins.jhdf;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.hyperslab.format.filter.EncodedChunk;
import org.hyperslab.format.filter.FilterPipeline;
import org.hyperslab.format.filter.FilterScratch;
import org.hyperslab.format.filter.FilterStage;
import org.hyperslab.format.filter.StoredChunk;
import org.junit.jupiter.api.Test;

/** Tests that filter plugins for jHDF are filters of every connector. */
class JhdfFiltersTest {

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
}
