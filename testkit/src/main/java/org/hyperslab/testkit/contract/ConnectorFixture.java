package org.hyperslab.testkit.contract;

import java.nio.file.Path;
import java.util.Optional;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Connector;

/** How a contract suite makes a connector and names files: one for each test, closed after it. */
public interface ConnectorFixture extends AutoCloseable {

  /** Makes the connector of a test. The suite closes it. */
  Connector connect();

  /** A name that no file of the test has yet, and that the connector understands. */
  String fileName(String base);

  /**
   * Where the file of a name is on this machine, for other programs to look at; empty if there is
   * none.
   */
  default Optional<Path> path(String name) {
    return Optional.empty();
  }

  /** How files are created where the test does not say: quick, not safe against power cuts. */
  default CreateOptions createOptions() {
    return CreateOptions.DEFAULT.withAccess(OpenOptions.EDIT.withDurability(Durability.PROCESS));
  }

  /** Gives up what the fixture made, files included. */
  @Override
  void close();
}
