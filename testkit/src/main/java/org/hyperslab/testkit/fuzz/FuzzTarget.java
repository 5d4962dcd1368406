package org.hyperslab.testkit.fuzz;

import java.io.IOException;
import java.nio.file.Path;

/**
 * What is done with every mutant. An implementation has a public constructor without parameters,
 * for it is made in the child process.
 *
 * <p>Thread rule: called by one thread at a time.
 */
public interface FuzzTarget {

  /**
   * Uses a file in full.
   *
   * @param file a mutant, which may be changed
   * @throws AssertionError if something happened that is neither an answer nor a typed error
   * @throws IOException if the file could not be reached by ordinary means
   */
  void use(Path file) throws IOException;
}
