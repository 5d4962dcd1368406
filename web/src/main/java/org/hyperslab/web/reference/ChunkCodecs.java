package org.hyperslab.web.reference;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.format.filter.FilterPipeline;
import org.hyperslab.format.filter.FilterScratch;
import org.hyperslab.format.filter.FilterStage;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.model.FilterSpec;

/**
 * The numcodecs configurations for the filters of a dataset, if numcodecs can decode the same
 * bytes.
 *
 * @param codecs the configurations, in the order of application on write
 * @param trailerBytes bytes at the end of each stored chunk that are not passed to a codec
 * @param stages the filters that encode a chunk for the codecs
 */
public record ChunkCodecs(List<JsonOutput> codecs, int trailerBytes, List<FilterStage> stages) {

  /** No codecs, no trailer and no filters. */
  static final ChunkCodecs NONE = new ChunkCodecs(List.of(), 0, List.of());

  private static final int DEFLATE = 1;
  private static final int SHUFFLE = 2;
  private static final int FLETCHER32 = 3;
  private static final int BLOSC = 32001;
  private static final int ZSTD = 32015;
  private static final int CHECKSUM_BYTES = 4;

  /** Copies the list. */
  public ChunkCodecs {
    codecs = List.copyOf(codecs);
    stages = List.copyOf(stages);
  }

  /** {@return the codec for chunks of one value} */
  static ChunkCodecs zstd() {
    return of(List.of(FilterSpec.zstd(3)), 1).orElseThrow();
  }

  /**
   * {@return the codecs of filters; empty if numcodecs has no codec for one of them}
   *
   * @param filters the filters, in the order of application on write
   * @param elementBytes bytes of an element
   */
  static Optional<ChunkCodecs> of(List<FilterSpec> filters, int elementBytes) {
    List<JsonOutput> codecs = new ArrayList<>();
    List<FilterStage> stages = new ArrayList<>();
    int trailer = 0;
    for (int i = 0; i < filters.size(); i++) {
      boolean last = i == filters.size() - 1;
      FilterSpec filter = filters.get(i);
      switch (filter.id()) {
        case DEFLATE -> codecs.add(codec("zlib", "level", 1));
        case SHUFFLE -> codecs.add(codec("shuffle", "elementsize", elementBytes));
        case ZSTD -> codecs.add(codec("zstd", "level", 1));
        case BLOSC -> codecs.add(codec("blosc", "clevel", 5));
        case FLETCHER32 -> {
          // The checksum follows the bytes, so that a reference can end before it.
          if (!last) {
            return Optional.empty();
          }
          trailer = CHECKSUM_BYTES;
        }
        default -> {
          return Optional.empty();
        }
      }
      if (filter.id() != FLETCHER32) {
        List<Integer> parameters =
            filter.id() == SHUFFLE ? List.of(elementBytes) : filter.parameters();
        stages.add(new FilterStage(filter.id(), false, filter.name(), parameters));
      }
    }
    return Optional.of(new ChunkCodecs(codecs, trailer, stages));
  }

  /** {@return a chunk as the codecs decode it} */
  byte[] encode(byte[] chunk) {
    if (stages.isEmpty()) {
      return chunk;
    }
    try (FilterScratch scratch = new FilterScratch()) {
      return FilterPipeline.of(stages)
          .encode(MemorySegment.ofArray(chunk), scratch)
          .bytes()
          .toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private static JsonOutput codec(String id, String parameter, long value) {
    return new JsonOutput(1000).open('{').member("id", id).member(parameter, value).close('}');
  }
}
