package org.hyperslab.format.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the HDF5 library decodes chunks encoded here: the elements of each golden chunk are
 * encoded and put into a file with h5py's write_direct_chunk. Filters that the library has only as
 * plugins are included if HDF5_PLUGIN_PATH leads to them.
 */
class LibraryReadsOurChunksTest {

  @TempDir Path directory;

  @Test
  void libraryDecodesEveryChunkThatWeEncode() throws Exception {
    encodeAll("golden");
    List<String> lines =
        Oracle.h5py(script("make_golden.py"))
            .run("--check", directory.toString())
            .orFail()
            .output()
            .lines()
            .toList();
    assertThat(lines).noneMatch(line -> line.startsWith("bad"));
    assertThat(lines).filteredOn(line -> line.startsWith("ok")).hasSizeGreaterThan(100);
  }

  @Test
  void pluginOfNanoporeDecodesEveryChunkThatWeEncode() throws Exception {
    Oracle.file("vbz plugin", Path.of("/usr/lib/x86_64-linux-gnu/libvbz_hdf_plugin.so.0"));
    encodeAll("vbz");
    List<String> lines =
        Oracle.h5py(script("make_registered.py"))
            .run("vbz", "--check", directory.toString())
            .orFail()
            .output()
            .lines()
            .toList();
    assertThat(lines).hasSizeGreaterThan(60).allMatch(line -> line.startsWith("ok"));
  }

  private void encodeAll(String family) throws IOException {
    try (FilterScratch scratch = new FilterScratch()) {
      for (GoldenChunks.Chunk chunk : GoldenChunks.load(family)) {
        if (chunk.name.equals("nbit-lost-member")) {
          continue;
        }
        FilterPipeline pipeline = FilterPipeline.of(chunk.stages);
        EncodedChunk encoded = pipeline.encode(MemorySegment.ofArray(chunk.elements), scratch);
        byte[] stored = encoded.bytes().toArray(ValueLayout.JAVA_BYTE);
        Files.write(directory.resolve(chunk.name + ".enc"), stored);
        Files.write(directory.resolve(chunk.name + ".dec"), chunk.elements);
      }
    }
  }

  private static Path script(String name) throws URISyntaxException {
    return Path.of(LibraryReadsOurChunksTest.class.getResource("golden/" + name).toURI());
  }
}
