package org.hyperslab.plugins.forwarding.server;

import org.hyperslab.testkit.contract.ConnectorContract;
import org.hyperslab.testkit.contract.ConnectorFixture;
import org.junit.jupiter.api.AfterAll;

/** The contract of connectors, over a server that the tests of a class share. */
abstract class StagedContract extends ConnectorContract {

  private static StagedFixture.Shared shared;

  static void share(StagedFixture.Shared server) {
    shared = server;
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
