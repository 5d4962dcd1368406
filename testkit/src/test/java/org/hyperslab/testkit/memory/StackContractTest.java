package org.hyperslab.testkit.memory;

import org.hyperslab.testkit.contract.ConnectorContract;
import org.hyperslab.testkit.contract.ConnectorFixture;
import org.hyperslab.testkit.contract.FileFixture;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs the contract on a stack of all pass-through connectors. */
@ExtendWith(ConnectorContract.SampledCases.class)
final class StackContractTest extends ConnectorContract {

  @Override
  protected ConnectorFixture fixture() {
    return FileFixture.inMemory(
        "tracing print=false | caching bytes=64K page=256 | async threads=2 | memory");
  }
}
