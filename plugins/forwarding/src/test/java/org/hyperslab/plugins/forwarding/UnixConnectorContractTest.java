package org.hyperslab.plugins.forwarding;

import org.junit.jupiter.api.BeforeAll;

/** The whole contract over a unix domain socket, natively at the server. */
final class UnixConnectorContractTest extends StagedContract {

  @BeforeAll
  static void startServer() {
    share(StagedFixture.Shared.unix());
  }
}
