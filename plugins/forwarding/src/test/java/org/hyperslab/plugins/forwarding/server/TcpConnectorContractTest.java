package org.hyperslab.plugins.forwarding.server;

import org.hyperslab.testkit.Campaign;
import org.junit.jupiter.api.BeforeAll;

/** Runs the contract over TCP, with native at the server. */
@Campaign
final class TcpConnectorContractTest extends StagedContract {

  @BeforeAll
  static void startServer() {
    share(StagedFixture.Shared.tcp());
  }
}
