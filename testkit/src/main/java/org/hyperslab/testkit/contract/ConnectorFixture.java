package org.hyperslab.testkit.contract;

import java.nio.file.Path;
import java.util.Optional;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Connector;

/** How a contract suite makes a connector and names files: one for each test, closed after it. */
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
   * @param base what the name contains
   * @return the name
   */
  String fileName(String base);

  /**
   * Finds a file on this machine, for other programs to look at.
   *
   * @param name its name for the connector
   * @return its path; empty if it has none
   */
  default Optional<Path> path(String name) {
    return Optional.empty();
  }

  /**
   * {@return how files are created where the test does not say: fast, and not safe against power
   * cuts}
   */
  default CreateOptions createOptions() {
    return CreateOptions.DEFAULT.withAccess(OpenOptions.EDIT.withDurability(Durability.PROCESS));
  }

  /** Gives up what the fixture made, files included. */
  @Override
  void close();
}
