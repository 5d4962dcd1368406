/**
 * The contract of byte stores, and stores that count requests, fail on demand and record writes.
 */
package org.hyperslab.testkit.store;
