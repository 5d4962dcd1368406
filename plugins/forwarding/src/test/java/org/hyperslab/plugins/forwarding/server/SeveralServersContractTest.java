package org.hyperslab.plugins.forwarding.server;

import org.hyperslab.testkit.Campaign;
import org.junit.jupiter.api.BeforeAll;

/**
 * Runs the contract with two servers on one folder, between which regions of 64 bytes are divided.
 */
@Campaign
final class SeveralServersContractTest extends StagedContract {

  @BeforeAll
  static void startServers() {
    share(StagedFixture.Shared.unix(2, "stripe=64"));
  }
}
