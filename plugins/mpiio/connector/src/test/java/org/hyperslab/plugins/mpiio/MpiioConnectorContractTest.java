package org.hyperslab.plugins.mpiio;

import org.hyperslab.testkit.contract.ConnectorContract;
import org.hyperslab.testkit.contract.ConnectorFixture;
import org.hyperslab.testkit.contract.FileFixture;

/** Runs the contract in a world of one rank. */
final class MpiioConnectorContractTest extends ConnectorContract {

  @Override
  protected ConnectorFixture fixture() {
    return FileFixture.of("mpiio");
  }
}
