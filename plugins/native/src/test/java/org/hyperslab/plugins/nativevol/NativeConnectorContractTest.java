package org.hyperslab.plugins.nativevol;

import org.hyperslab.testkit.contract.ConnectorContract;
import org.hyperslab.testkit.contract.ConnectorFixture;
import org.hyperslab.testkit.contract.FileFixture;

/** Runs the contract on local files with the default bounds. */
final class NativeConnectorContractTest extends ConnectorContract {

  @Override
  protected ConnectorFixture fixture() {
    return FileFixture.of("native");
  }
}
