package org.hyperslab.format.btree;

/**
 * Receives records in order.
 *
 * @param <R> the decoded record
 */
@FunctionalInterface
public interface RecordVisitor<R> {

  /**
   * Receives one record.
   *
   * @param record the record
   * @return whether to go on
   */
  boolean visit(R record);
}
