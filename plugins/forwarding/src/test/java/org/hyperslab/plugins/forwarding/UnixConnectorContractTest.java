package org.hyperslab.plugins.forwarding;

import org.hyperslab.testkit.contract.ConnectorContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;

/** The whole contract over a unix domain socket, natively at the server. */
@ExtendWith(ConnectorContract.SampledCases.class)
final class UnixConnectorContractTest extends StagedContract {

  @BeforeAll
  static void startServer() {
    share(StagedFixture.Shared.unix());
  }
}
