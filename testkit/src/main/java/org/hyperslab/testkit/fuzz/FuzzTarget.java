package org.hyperslab.testkit.fuzz;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The code under test, which is run on every mutant. An implementation has a public constructor
 * without parameters, because it is created in the child process.
 *
 * <p>Thread rule: called by one thread at a time.
 */
public interface FuzzTarget {

  /**
   * Uses a file in full.
   *
   * @param file a mutant, which may be changed
   * @throws AssertionError if the outcome is neither an answer nor a typed error
   * @throws IOException if the file cannot be accessed
   */
  void use(Path file) throws IOException;
}
