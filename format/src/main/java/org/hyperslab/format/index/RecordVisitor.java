package org.hyperslab.format.index;

/**
 * Receives records in order.
 *
 * @param <R> the decoded record
 */
@FunctionalInterface
interface RecordVisitor<R> {

  /**
   * Receives one record.
   *
   * @param record the record
   * @return whether to go on
   */
  boolean visit(R record);
}
