package org.hyperslab.plugins.compacting;

import org.hyperslab.testkit.contract.ConnectorContract;
import org.hyperslab.testkit.contract.ConnectorFixture;
import org.hyperslab.testkit.contract.FileFixture;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs the contract on the compacting connector over native. */
@ExtendWith(ConnectorContract.SampledCases.class)
final class CompactingConnectorContractTest extends ConnectorContract {

  @Override
  protected ConnectorFixture fixture() {
    return FileFixture.of("compacting threads=2 gather=3 gather-micros=200 | native");
  }
}
