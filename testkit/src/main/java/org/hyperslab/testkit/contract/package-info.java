/**
 * What every connector promises, as tests. A connector runs them all by one subclass of {@link
 * org.hyperslab.testkit.contract.ConnectorContract} that says how to make it; tests that need what
 * it cannot do are skipped, naming the capability.
 */
package org.hyperslab.testkit.contract;
