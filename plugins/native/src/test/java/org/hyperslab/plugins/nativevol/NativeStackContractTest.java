package org.hyperslab.plugins.nativevol;

import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.contract.ConnectorContract;
import org.hyperslab.testkit.contract.ConnectorFixture;
import org.hyperslab.testkit.contract.FileFixture;

/** Runs the contract on native below each pass-through connector. */
@Campaign
final class NativeStackContractTest extends ConnectorContract {

  @Override
  protected ConnectorFixture fixture() {
    return FileFixture.of(
        "tracing print=false | async threads=3 | caching bytes=1M page=4K | native");
  }
}
