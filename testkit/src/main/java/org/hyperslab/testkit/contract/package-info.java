/**
 * The contract of connectors, as tests. A connector runs them all with one subclass of {@link
 * org.hyperslab.testkit.contract.ConnectorContract} that provides a fixture; tests that need a
 * capability that it lacks are skipped, naming the capability.
 */
package org.hyperslab.testkit.contract;
