package org.hyperslab.mpiio.file;

import org.hyperslab.error.InvalidUseException;

/** Who makes started accesses of a file go on while their rank does something else. */
enum ProgressMode {
  /** A thread of the file. */
  THREAD("thread", "by a thread of the file"),
  /** One thread for all files of the process. */
  ENGINE("engine", "by the engine of all files of the process"),
  /** The rank itself, when it starts, tests or waits. */
  WAIT("wait", "when the rank tests or waits");

  /** The hint that chooses. */
  static final String HINT = "progress";

  private final String word;
  private final String description;

  ProgressMode(String word, String description) {
    this.word = word;
    this.description = description;
  }

  /** The mode of a hint's value. */
  static ProgressMode parse(String wanted) {
    for (ProgressMode mode : values()) {
      if (mode.word.equals(wanted)) {
        return mode;
      }
    }
    throw new InvalidUseException(
        "hint: actual=" + HINT + "=" + wanted + ", expected=thread, engine or wait");
  }

  /** For people. */
  String describe() {
    return description;
  }
}
