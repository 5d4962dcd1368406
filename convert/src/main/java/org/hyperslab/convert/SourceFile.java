package org.hyperslab.convert;

/**
 * An open input: its metadata is in memory, its elements are read when they are asked for.
 *
 * <p>Thread rule: {@link #root} and {@link #close} from one thread; elements are read by any.
 */
interface SourceFile extends AutoCloseable {

  /**
   * Returns everything in the file.
   *
   * @return the root group
   */
  GroupNode root();

  /** Closes the file. No element can be read afterwards. */
  @Override
  void close();
}
