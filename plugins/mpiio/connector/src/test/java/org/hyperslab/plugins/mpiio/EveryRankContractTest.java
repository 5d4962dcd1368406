package org.hyperslab.plugins.mpiio;

import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.contract.ConnectorContract;
import org.hyperslab.testkit.contract.ConnectorFixture;
import org.hyperslab.testkit.contract.FileFixture;

/** Runs the contract with three ranks that execute every operation, all transfers collective. */
@Campaign
final class EveryRankContractTest extends ConnectorContract {

  @Override
  protected ConnectorFixture fixture() {
    MpiioOptions options =
        MpiioOptions.DEFAULT.withAlwaysCollective(true).withEarlyAllocation(false);
    return new FileFixture(() -> new EveryRank(3, options));
  }
}
