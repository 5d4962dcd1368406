package org.hyperslab.plugins.forwarding.client;

import org.hyperslab.testkit.contract.ConnectorContract;
import org.hyperslab.testkit.contract.ConnectorFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The whole contract over TCP, natively at the server. */
final class TcpConnectorContractTest extends ConnectorContract {

  private static StagedFixture.Shared shared;

  @BeforeAll
  static void startServer() {
    shared = StagedFixture.Shared.tcp();
  }

  @AfterAll
  static void stopServer() {
    shared.close();
  }

  @Override
  protected ConnectorFixture fixture() {
    return new StagedFixture(shared);
  }
}
