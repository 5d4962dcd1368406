package org.hyperslab.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.model.FilterSpec;

/**
 * The numcodecs configurations for the filters of a dataset, if numcodecs can decode the same
 * bytes.
 *
 * @param codecs the configurations, in the order of application on write
 * @param trailerBytes bytes at the end of each stored chunk that are not passed to a codec
 */
record ChunkCodecs(List<JsonOutput> codecs, int trailerBytes) {

  private static final int DEFLATE = 1;
  private static final int SHUFFLE = 2;
  private static final int FLETCHER32 = 3;
  private static final int BLOSC = 32001;
  private static final int ZSTD = 32015;
  private static final int CHECKSUM_BYTES = 4;

  /** Copies the list. */
  ChunkCodecs {
    codecs = List.copyOf(codecs);
  }

  /**
   * {@return the codecs of filters; empty if numcodecs has no codec for one of them}
   *
   * @param filters the filters, in the order of application on write
   * @param elementBytes bytes of an element
   */
  static Optional<ChunkCodecs> of(List<FilterSpec> filters, int elementBytes) {
    List<JsonOutput> codecs = new ArrayList<>();
    int trailer = 0;
    for (int i = 0; i < filters.size(); i++) {
      boolean last = i == filters.size() - 1;
      switch (filters.get(i).id()) {
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
    }
    return Optional.of(new ChunkCodecs(codecs, trailer));
  }

  private static JsonOutput codec(String id, String parameter, long value) {
    return new JsonOutput(1000).open('{').member("id", id).member(parameter, value).close('}');
  }
}
