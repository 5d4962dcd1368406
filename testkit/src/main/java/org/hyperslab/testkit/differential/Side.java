package org.hyperslab.testkit.differential;

import java.nio.file.Path;
import java.util.List;

/** Somebody who edits and reads files. */
interface Side extends AutoCloseable {

  /** Somebody could not do what should be possible. */
  final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refusal(String what, Throwable cause) {
      super(what, cause);
    }
  }

  /** Somebody's process ended without a word: HDF5 1.10 does that of its own files too. */
  final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Crash(String side) {
      super(side + " crashed");
    }
  }

  /** What it is called in messages. */
  String name();

  /**
   * Carries out a turn.
   *
   * @param creation how the file is created; null where it is there
   */
  void edit(Path file, History.Creation creation, Turn turn);

  /** A line for each object, as {@link Model#tell}. */
  List<String> tell(Path file);

  @Override
  void close();
}
