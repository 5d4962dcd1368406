package org.hyperslab.testkit.differential;

import java.nio.file.Path;
import java.util.List;

/** An implementation of HDF5 that edits and reads files. */
interface Side extends AutoCloseable {

  /** A side failed to do what has to work. */
  final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refusal(String what, Throwable cause) {
      super(what, cause);
    }
  }

  /** A process ended without a word. */
  final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int edit;

    /**
     * Creates a crash.
     *
     * @param edit the number of the edit that it was at; -1 if it was at none
     */
    Crash(String side, int edit) {
      super(side + " crashed" + (edit < 0 ? "" : " at edit " + edit));
      this.edit = edit;
    }

    /** Returns the number of the edit that it was at; -1 if it was at none. */
    int edit() {
      return edit;
    }
  }

  /** Returns what it is called in messages. */
  String name();

  /**
   * Carries out a turn.
   *
   * @param creation how the file is or was created
   * @param isNew whether this turn creates it
   */
  void edit(Path file, History.Creation creation, boolean isNew, Turn turn);

  /**
   * Returns a line for each object, as {@link Model#lines}.
   *
   * @param creation how the file was created
   */
  List<String> read(Path file, History.Creation creation);

  /**
   * Opens a file for single-writer, multiple-reader access.
   *
   * @param writes whether as the writer
   */
  SwmrAccess openForSwmr(Path file, boolean writes);

  @Override
  void close();
}
