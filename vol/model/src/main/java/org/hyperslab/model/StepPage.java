package org.hyperslab.model;

import java.util.List;

/**
 * Published steps of a file.
 *
 * @param first the number of the first step in it, from 0
 * @param published the number of steps that readers see
 * @param writer what is known of the writer
 * @param rows the number of rows of each dataset of the table: first before step {@code first},
 *     then at the end of each step; empty if there are no steps in it
 */
public record StepPage(long first, long published, StepWriterState writer, List<List<Long>> rows) {

  /** Copies the rows. */
  public StepPage {
    rows = rows.stream().map(List::copyOf).toList();
  }

  /** {@return the number of steps in it} */
  public int count() {
    return Math.max(0, rows.size() - 1);
  }
}
