package org.hyperslab.model;

import java.util.List;

/**
 * One filter of a chunked dataset, in the order in which filters are applied on write.
 *
 * @param id the registered filter number, 1 to 65535
 * @param optional whether a chunk is stored without it when it fails
 * @param name the name stored in the file; empty for the one that the filter is known by
 * @param parameters client data; empty lets the filter choose from the dataset's type and chunk
 *     shape
 */
public record FilterSpec(int id, boolean optional, String name, List<Integer> parameters) {

  /** Copies the parameters. */
  public FilterSpec {
    parameters = List.copyOf(parameters);
  }

  /** Deflate (gzip) at a level from 0 to 9. */
  public static FilterSpec deflate(int level) {
    return new FilterSpec(1, true, "deflate", List.of(level));
  }

  /** Byte shuffle. */
  public static FilterSpec shuffle() {
    return new FilterSpec(2, true, "shuffle", List.of());
  }

  /** Fletcher-32 checksum of each chunk. */
  public static FilterSpec fletcher32() {
    return new FilterSpec(3, false, "fletcher32", List.of());
  }

  /** Any registered filter. */
  public static FilterSpec of(int id, Integer... parameters) {
    return new FilterSpec(id, false, "", List.of(parameters));
  }
}
