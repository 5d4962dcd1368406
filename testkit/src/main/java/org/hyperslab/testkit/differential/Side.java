package org.hyperslab.testkit.differential;

import java.nio.file.Path;
import java.util.List;

/** An implementation of HDF5 that edits and reads files. */
interface Side extends AutoCloseable {

  /** Thrown when a side fails at an operation that must work. */
  final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refusal(String what, Throwable cause) {
      super(what, cause);
    }
  }

  /** Thrown when a side's process ends unexpectedly. */
  final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int edit;

    /**
     * Creates a crash.
     *
     * @param side the name of the side
     * @param edit the number of the edit in progress; -1 if there was none
     */
    Crash(String side, int edit) {
      super(side + " crashed" + (edit < 0 ? "" : " at edit " + edit));
      this.edit = edit;
    }

    /** Returns the number of the edit in progress; -1 if there was none. */
    int edit() {
      return edit;
    }
  }

  /** Returns the name of this side in messages. */
  String name();

  /**
   * Performs a turn.
   *
   * @param file the file
   * @param creation the creation of the file
   * @param isNew whether this turn creates it
   * @param turn the turn
   */
  void edit(Path file, History.Creation creation, boolean isNew, Turn turn);

  /**
   * Returns a line for each object, in the form of {@link Model#lines}.
   *
   * @param file the file
   * @param creation the creation of the file
   */
  List<String> read(Path file, History.Creation creation);

  /**
   * Opens a file for single-writer, multiple-reader access.
   *
   * @param file the file
   * @param writes whether to open it as the writer
   */
  SwmrAccess openForSwmr(Path file, boolean writes);

  @Override
  void close();
}
