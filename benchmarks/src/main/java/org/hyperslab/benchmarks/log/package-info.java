/** Measures the connector {@code log} beside the connector below it. */
package org.hyperslab.benchmarks.log;
