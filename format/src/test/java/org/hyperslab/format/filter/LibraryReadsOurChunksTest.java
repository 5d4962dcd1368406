package org.hyperslab.format.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The HDF5 library decodes what our encoders make: each golden chunk's elements are encoded here
 * and put into a file by h5py's write_direct_chunk. Filters that the library has only as plugins
 * are included if HDF5_PLUGIN_PATH leads to them.
 */
class LibraryReadsOurChunksTest {

  private static final String PYTHON = "/usr/bin/python3";

  @TempDir Path directory;

  @Test
  void libraryDecodesEveryChunkThatWeEncode() throws Exception {
    assumeTrue(hasH5py(), "python3 with h5py is not on this machine");
    encodeAll();
    List<String> lines = run(PYTHON, script().toString(), "--check", directory.toString());
    assertThat(lines).noneMatch(line -> line.startsWith("bad"));
    assertThat(lines).filteredOn(line -> line.startsWith("ok")).hasSizeGreaterThan(100);
  }

  private void encodeAll() throws IOException {
    try (FilterScratch scratch = new FilterScratch()) {
      for (GoldenChunks.Chunk chunk : GoldenChunks.load()) {
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

  private static Path script() throws URISyntaxException {
    return Path.of(LibraryReadsOurChunksTest.class.getResource("golden/make_golden.py").toURI());
  }

  private static boolean hasH5py() throws InterruptedException {
    try {
      run(PYTHON, "-c", "import h5py");
      return true;
    } catch (IOException absent) {
      return false;
    }
  }

  private static List<String> run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + output);
    }
    return output.lines().toList();
  }
}
