package org.hyperslab.testkit.fuzz;

import java.util.List;

/**
 * What came of a campaign.
 *
 * @param cases mutants tried
 * @param edges edges of the code under test that were passed; 0 where the campaign was not guided
 * @param pool files that covered something new, seeds included
 * @param slowestMillis the longest that a case took, in milliseconds of wall time
 * @param children processes that were needed: one more for every hang or exhausted heap
 * @param failures what went wrong: kind, where, and the file that is kept; at most 100
 */
public record FuzzReport(
    long cases, int edges, int pool, long slowestMillis, int children, List<String> failures) {

  /** Copies the list. */
  public FuzzReport {
    failures = List.copyOf(failures);
  }

  @Override
  public String toString() {
    return cases
        + " cases, "
        + edges
        + " edges, "
        + pool
        + " files in the pool, slowest "
        + slowestMillis
        + " ms, "
        + children
        + " children, "
        + failures.size()
        + " failures";
  }
}
