package org.hyperslab.plugins.compacting;

/** What an ordered request must not overtake and must not be overtaken by. */
public sealed interface Scope {

  /**
   * Requests on an overlapping region of a dataset.
   *
   * @param key the dataset
   * @param region the region
   */
  record Part(DataKey key, Region region) implements Scope {}

  /**
   * All requests on a dataset.
   *
   * @param key the dataset
   */
  record Dataset(DataKey key) implements Scope {}

  /**
   * All requests on all datasets of a file, such as for flush and close.
   *
   * @param file the number of the file in its datasets' keys
   */
  record File(long file) implements Scope {}

  /** All requests there are. */
  record Everything() implements Scope {}
}
