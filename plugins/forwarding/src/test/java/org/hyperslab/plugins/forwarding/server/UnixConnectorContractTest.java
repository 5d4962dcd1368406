package org.hyperslab.plugins.forwarding.server;

import org.hyperslab.testkit.contract.ConnectorContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs the contract over a unix domain socket, with native at the server. */
@ExtendWith(ConnectorContract.SampledCases.class)
final class UnixConnectorContractTest extends StagedContract {

  @BeforeAll
  static void startServer() {
    share(StagedFixture.Shared.unix());
  }
}
