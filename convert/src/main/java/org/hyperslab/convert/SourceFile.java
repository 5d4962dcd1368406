package org.hyperslab.convert;

/**
 * An open input. Its metadata is in memory; its elements are read on request.
 *
 * <p>Thread rule: {@link #root} and {@link #close} from one thread; elements are read by any.
 */
interface SourceFile extends AutoCloseable {

  /**
   * Returns the content of the file.
   *
   * @return the root group
   */
  GroupNode root();

  /** Closes the file. No element can be read afterwards. */
  @Override
  void close();
}
