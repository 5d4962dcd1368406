package org.hyperslab.vol.query;

import java.util.Optional;
import org.hyperslab.model.Condition;
import org.hyperslab.model.ValueSummary;

/**
 * What is known of the values in the blocks of a dataset, which divide its extent; blocks at its
 * edge are cut.
 *
 * <p>Thread rule: any thread.
 */
public interface BlockFacts {

  /** {@return the lengths of a block; of a dataset in chunks, those of its chunks} */
  long[] blockDims();

  /**
   * {@return the summary of the values of a block that lie in the extent, if it is known to be true
   * of the elements as they are now}
   *
   * @param block the index of the block in each dimension
   * @param field the numbers that are meant
   */
  Optional<ValueSummary> of(long[] block, Condition.Field field);
}
