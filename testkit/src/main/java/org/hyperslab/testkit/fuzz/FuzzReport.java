package org.hyperslab.testkit.fuzz;

import java.util.List;

/**
 * The result of a campaign.
 *
 * @param cases the number of mutants tried
 * @param edges the number of edges of the code under test that were passed; 0 if the campaign was
 *     not guided
 * @param pool the number of files with new coverage, including seeds
 * @param slowestMillis the longest time of a case, in milliseconds of processor time
 * @param children the number of processes used: one more for every hang or exhausted heap
 * @param failures the failures: kind, place, and the file that is kept; at most 100
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
