package org.hyperslab.convert.model;

import java.util.Map;

/**
 * An open input. Its metadata is in memory; its elements are read on request.
 *
 * <p>Thread rule: {@link #root} and {@link #close} from one thread; elements are read by any.
 */
public interface SourceFile extends AutoCloseable {

  /**
   * Returns the content of the file.
   *
   * @return the root group
   */
  GroupNode root();

  /**
   * Returns the paths of the objects that references can lead to.
   *
   * @return the paths in the tree of {@link #root}, by address; empty if the format has no
   *     references
   */
  default Map<Long, String> objectPaths() {
    return Map.of();
  }

  /** Closes the file. No element can be read afterwards. */
  @Override
  void close();
}
