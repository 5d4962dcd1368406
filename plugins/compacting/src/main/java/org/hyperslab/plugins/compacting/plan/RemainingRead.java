package org.hyperslab.plugins.compacting.plan;

import org.hyperslab.format.space.Selection;

/** The part of a read that the storage must supply. Immutable. */
public final class RemainingRead {

  private final int order;
  private final ReadRequest read;
  private final RunList runs;
  private final Selection selection;
  private final long bytes;

  /**
   * Creates a part of a read.
   *
   * @param order the position of the read in the order of arrival
   * @param read the read
   * @param runs the elements: their offsets in the dataset, and their positions in the read
   * @param selection the same elements as a selection
   */
  RemainingRead(int order, ReadRequest read, RunList runs, Selection selection) {
    this.order = order;
    this.read = read;
    this.runs = runs;
    this.selection = selection;
    long elements = 0;
    for (int r = 0; r < runs.size(); r++) {
      elements += runs.length(r);
    }
    this.bytes = elements * read.kind().bytes();
  }

  int order() {
    return order;
  }

  ReadRequest read() {
    return read;
  }

  RunList runs() {
    return runs;
  }

  Selection selection() {
    return selection;
  }

  long bytes() {
    return bytes;
  }

  boolean isWhole() {
    return bytes == read.bytes();
  }
}
