package org.hyperslab.testkit.contract;

import org.junit.jupiter.api.Nested;

/**
 * The whole contract: a connector's test class extends this and says how to make the connector.
 *
 * <pre>{@code
 * final class MyConnectorContractTest extends ConnectorContract {
 *   @Override
 *   protected ConnectorFixture fixture() {
 *     return FileFixture.of("mine");
 *   }
 * }
 * }</pre>
 */
public abstract class ConnectorContract {

  /** For subclasses. */
  protected ConnectorContract() {}

  /** A fresh fixture; called once for each test. */
  protected abstract ConnectorFixture fixture();
}
