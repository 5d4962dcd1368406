package org.hyperslab.plugins.mpiio.report;

/** A cause for which a transfer was not executed as collective I/O of all ranks. */
public enum NoCollectiveCause {
  /** The transfer's options do not say collective. */
  INDEPENDENT_CALL("the transfer was asked for as independent"),
  /** There is only one rank. */
  ONE_RANK("there is one rank only"),
  /** Elements have out-of-line parts, which are stored in the file's heaps: rank 0 moved them. */
  OUT_OF_LINE_ELEMENTS("variable-length elements are stored in heaps that rank 0 manages"),
  /** Elements are changed in part, so that they must be read first: rank 0 moved them. */
  PARTIAL_ELEMENTS("the memory type has only some members of the elements"),
  /** The elements are in the object header: rank 0 moved them. */
  COMPACT_LAYOUT("the elements are in the object header"),
  /** The elements are in other files: rank 0 moved them. */
  EXTERNAL_LAYOUT("the elements are in external files"),
  /** The elements are in other datasets: rank 0 moved them. */
  VIRTUAL_LAYOUT("the elements are in other datasets"),
  /** The elements are behind an external link, or the file is split: rank 0 moved them. */
  OTHER_FILE("the elements are in another file than the one that was opened"),
  /** This rank's points are not in ascending order: it moved them by itself. */
  POINTS("a list of points has an order of its own");

  private final String text;

  NoCollectiveCause(String text) {
    this.text = text;
  }

  /** {@return the cause in words} */
  public String text() {
    return text;
  }
}
