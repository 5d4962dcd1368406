package org.hyperslab.plugins.compacting.queue;

import org.hyperslab.plugins.compacting.plan.DataKey;
import org.hyperslab.plugins.compacting.plan.Region;

/** The requests relative to which an ordered request keeps its order. */
public sealed interface OrderScope {

  /**
   * Tests whether requests on a dataset may belong to the scope.
   *
   * @param key the dataset
   * @return whether they may
   */
  boolean concerns(DataKey key);

  /**
   * Requests on an overlapping region of a dataset.
   *
   * @param key the dataset
   * @param region the region
   */
  record Part(DataKey key, Region region) implements OrderScope {
    @Override
    public boolean concerns(DataKey other) {
      return key.equals(other);
    }
  }

  /**
   * All requests on a dataset.
   *
   * @param key the dataset
   */
  record Dataset(DataKey key) implements OrderScope {
    @Override
    public boolean concerns(DataKey other) {
      return key.equals(other);
    }
  }

  /**
   * All requests on all datasets of a file, as needed for flush and close.
   *
   * @param file the number of the file in the datasets' keys
   */
  record File(long file) implements OrderScope {
    @Override
    public boolean concerns(DataKey key) {
      return file == key.file();
    }
  }

  /** All requests on all files. */
  record Everything() implements OrderScope {
    @Override
    public boolean concerns(DataKey key) {
      return true;
    }
  }
}
