package org.hyperslab.format.index.btree;

/**
 * Receives records in order.
 *
 * @param <R> the type of decoded records
 */
@FunctionalInterface
public interface RecordVisitor<R> {

  /**
   * Receives one record.
   *
   * @param record the record
   * @return whether to continue
   */
  boolean visit(R record);
}
