package org.hyperslab.format.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that filters of HDF5's plugins decode what they encoded, called without libhdf5. */
class PluginFiltersTest {

  private static final int ZFP = 32013;
  private static final int SZ3 = 32024;

  @TempDir Path folder;

  private static Path zfpPlugin() {
    String path = "/usr/lib/x86_64-linux-gnu/hdf5/serial/plugins/libh5zzfp.so";
    return Oracle.file("zfp plugin", Path.of(path));
  }

  private static byte[] decode(FilterRegistry registry, GoldenChunks.Chunk chunk) {
    FilterPipeline pipeline = FilterPipeline.of(chunk.stages, registry);
    StoredChunk stored = new StoredChunk(MemorySegment.ofArray(chunk.stored), 0, "golden", 0);
    byte[] target = new byte[chunk.elements.length];
    try (FilterScratch scratch = new FilterScratch()) {
      pipeline.decode(stored, MemorySegment.ofArray(target), scratch);
    }
    return target;
  }

  @Test
  void pluginDecodesItsChunks() throws IOException {
    Files.createSymbolicLink(folder.resolve("libzfp.so"), zfpPlugin());
    Filter plugin = PluginFilters.in(folder.toString()).find(ZFP).orElseThrow();
    FilterRegistry registry = FilterRegistry.of(List.of(plugin));
    for (GoldenChunks.Chunk chunk : GoldenChunks.load("zfp")) {
      assertThat(decode(registry, chunk)).as(chunk.name).isEqualTo(chunk.elements);
    }
  }

  @Test
  void filesThatAreNoPluginsArePassedOver() throws IOException {
    Files.writeString(folder.resolve("libnothing.so"), "no library");
    Files.writeString(folder.resolve("README"), "no library");
    assertThat(PluginFilters.in(folder.toString()).find(ZFP)).isEmpty();
  }

  @Test
  void withoutFoldersNothingIsLoaded() {
    assertThat(PluginFilters.in("").find(ZFP)).isEqualTo(Optional.empty());
  }

  @Test
  void missingFolderIsNamed() {
    PluginFilters filters = PluginFilters.in(folder.resolve("nowhere").toString());
    assertThatThrownBy(() -> filters.find(ZFP))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("nowhere")
        .hasMessageContaining(PluginFilters.PROPERTY);
  }

  @Test
  void errorNamesTheRegisteredFilterAndWhereItIsToBeHad() {
    FilterStage stage = new FilterStage(SZ3, false, "", List.of());
    FilterPipeline pipeline = FilterPipeline.of(List.of(stage));
    StoredChunk stored = new StoredChunk(MemorySegment.ofArray(new byte[8]), 0, "some.h5", 0);
    try (FilterScratch scratch = new FilterScratch()) {
      assertThatThrownBy(() -> pipeline.decode(stored, 8, scratch))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("filter 32024 (SZ3)")
          .hasMessageContaining("github.com/szcompressor/SZ3")
          .hasMessageContaining(PluginFilters.PROPERTY);
    }
  }
}
