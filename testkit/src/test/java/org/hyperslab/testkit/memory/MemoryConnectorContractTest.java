package org.hyperslab.testkit.memory;

import org.hyperslab.testkit.contract.ConnectorContract;
import org.hyperslab.testkit.contract.ConnectorFixture;
import org.hyperslab.testkit.contract.FileFixture;

/** Runs the contract on the connector that keeps files in memory. */
final class MemoryConnectorContractTest extends ConnectorContract {

  @Override
  protected ConnectorFixture fixture() {
    return FileFixture.inMemory("memory");
  }
}
