package org.hyperslab.format.index.dense;

/** Receives entries one by one. */
@FunctionalInterface
public interface DenseVisitor {

  /**
   * Receives one entry.
   *
   * @param entry the entry
   * @return whether to continue
   */
  boolean visit(DenseEntry entry);
}
