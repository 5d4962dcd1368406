package org.hyperslab.format.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.testkit.ChildJvm;
import org.junit.jupiter.api.Test;

/** Tests a program without the compression libraries: what works, and what the errors name. */
class OptionalLibrariesTest {

  private static final int CHUNK_BYTES = 1 << 20;

  /** Filters with what they need, by a stage that uses it. */
  private static final Map<String, FilterStage> STAGES =
      Map.of(
          "deflate", FilterStage.mandatory(1, 6),
          "lzf", FilterStage.mandatory(32000),
          "blosc-zlib", FilterStage.mandatory(32001, 0, 0, 0, 0, 5, 1, 4),
          "blosc-lz4", FilterStage.mandatory(32001, 0, 0, 0, 0, 5, 1, 1),
          "bitshuffle", FilterStage.mandatory(32008, 0, 0),
          "bitshuffle-lz4", FilterStage.mandatory(32008, 0, 2),
          "lz4", FilterStage.optional(32004),
          "zstd", FilterStage.mandatory(32015, 3),
          "bzip2", FilterStage.mandatory(307, 9));

  @Test
  void filtersOfAbsentLibrariesAreNamedAndOthersWork() throws Exception {
    List<String> without = ChildJvm.command(256, OptionalLibrariesTest.class);
    int path = without.indexOf("-cp") + 1;
    String left =
        Arrays.stream(without.get(path).split(File.pathSeparator))
            .filter(entry -> !entry.contains("aircompressor") && !entry.contains("compress-"))
            .collect(Collectors.joining(File.pathSeparator));
    without.set(path, left);
    Process child = new ProcessBuilder(without).redirectErrorStream(true).start();
    String said = new String(child.getInputStream().readAllBytes());
    assertThat(child.waitFor()).as(said).isZero();
    assertThat(said)
        .contains("deflate: ok", "lzf: ok", "blosc-zlib: ok", "bitshuffle: ok")
        .containsPattern("zstd: .*unsupported.*io.airlift:aircompressor-v3")
        .containsPattern("lz4: .*unsupported.*io.airlift:aircompressor-v3.*--add-modules")
        .containsPattern("blosc-lz4: .*unsupported.*io.airlift:aircompressor-v3")
        .containsPattern("bitshuffle-lz4: .*unsupported.*io.airlift:aircompressor-v3")
        .containsPattern("bzip2: .*unsupported.*org.apache.commons:commons-compress");
  }

  @Test
  void allFiltersWorkIfTheLibrariesArePresent() {
    STAGES.forEach((name, stage) -> assertThat(outcome(stage)).as(name).isEqualTo("ok"));
  }

  /** In the child: encodes and decodes chunks with each filter and prints the results. */
  public static void main(String[] arguments) {
    STAGES.forEach((name, stage) -> System.out.println(name + ": " + outcome(stage)));
  }

  private static String outcome(FilterStage stage) {
    byte[] chunk = new byte[CHUNK_BYTES];
    for (int i = 0; i < CHUNK_BYTES; i++) {
      chunk[i] = (byte) (i / 100);
    }
    FilterContext context =
        FilterContext.of(
            new ElementLayout.Other(4, ByteOrder.LITTLE_ENDIAN), List.of(CHUNK_BYTES / 4L));
    try (FilterScratch scratch = new FilterScratch()) {
      FilterPipeline pipeline = FilterPipeline.of(List.of(stage)).configured(context);
      for (int i = 0; i < 3; i++) { // fast coders are loaded only after some data
        EncodedChunk encoded = pipeline.encode(MemorySegment.ofArray(chunk), scratch);
        byte[] stored = encoded.bytes().toArray(ValueLayout.JAVA_BYTE);
        StoredChunk back =
            new StoredChunk(MemorySegment.ofArray(stored), encoded.filterMask(), "x.h5", 0);
        MemorySegment decoded = pipeline.decode(back, CHUNK_BYTES, scratch);
        if (decoded.mismatch(MemorySegment.ofArray(chunk)) != -1 || encoded.filterMask() != 0) {
          return "wrong data";
        }
      }
      return "ok";
    } catch (UnsupportedFeatureException missing) {
      return "unsupported: " + missing.getMessage();
    } catch (HyperslabException other) {
      return "failed: " + other;
    }
  }
}
