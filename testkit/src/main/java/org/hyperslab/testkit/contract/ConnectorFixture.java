package org.hyperslab.testkit.contract;

import java.nio.file.Path;
import java.util.Optional;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Connector;

/**
 * Creates the connector of a contract test and names its files. Each test has its own fixture,
 * which is closed after it.
 */
public interface ConnectorFixture extends AutoCloseable {

  /**
   * Creates the connector of a test, which the suite closes.
   *
   * @return the connector
   */
  Connector connect();

  /**
   * Chooses a name that no file of the test has yet, and that the connector understands.
   *
   * @param base a text that the name contains
   * @return the name
   */
  String fileName(String base);

  /**
   * Returns the path of a file on this machine, for other programs to read.
   *
   * @param name the name of the file for the connector
   * @return its path; empty if it has none
   */
  default Optional<Path> path(String name) {
    return Optional.empty();
  }

  /** {@return the default options of new files: fast, and not safe against power failures} */
  default CreateOptions createOptions() {
    return CreateOptions.DEFAULT.withAccess(OpenOptions.EDIT.withDurability(Durability.PROCESS));
  }

  /** Releases everything that the fixture made, including files. */
  @Override
  void close();
}
