package org.hyperslab.plugins.configured.document;

import org.hyperslab.error.InvalidUseException;

/**
 * A place in a configuration file.
 *
 * <p>Thread rule: immutable.
 *
 * @param file the name of the file, for messages
 * @param line the line, from 1
 * @param column the column in characters, from 1
 */
public record Place(String file, int line, int column) {

  /**
   * {@return an error at this place}
   *
   * @param problem what is wrong, what there is instead and what to do
   */
  public InvalidUseException problem(String problem) {
    return new InvalidUseException(this + ": " + problem);
  }

  /** Returns file, line and column, as compilers print them. */
  @Override
  public String toString() {
    return file + ":" + line + ":" + column;
  }
}
