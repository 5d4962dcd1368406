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
public record StepPage(long first, long published, Writer writer, List<List<Long>> rows) {

  /** What is known of the program that writes a file in steps. */
  public enum Writer {
    /** It may publish further steps. */
    WRITING,
    /** It has closed the file: no step follows. */
    ENDED,
    /** Its process has ended without closing the file: no step follows. */
    LOST
  }

  /** Copies the rows. */
  public StepPage {
    rows = rows.stream().map(List::copyOf).toList();
  }

  /** {@return the number of steps in it} */
  public int count() {
    return Math.max(0, rows.size() - 1);
  }
}
