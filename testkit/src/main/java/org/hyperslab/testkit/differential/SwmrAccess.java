package org.hyperslab.testkit.differential;

import java.util.List;

/**
 * A file that a side has open for single-writer, multiple-reader access, as its writer or as one of
 * its readers. Datasets stay open between calls.
 *
 * <p>Thread rule: confined to one thread.
 */
interface SwmrAccess extends AutoCloseable {

  /** Makes edits as the writer, and flushes them. */
  void edit(List<Edit> edits);

  /**
   * Refreshes datasets and reads them.
   *
   * @param paths the paths of the datasets
   * @return a line for each: path, extent and values, in the form of {@link SwmrDifferential}
   */
  List<String> read(List<String> paths);

  @Override
  void close();
}
