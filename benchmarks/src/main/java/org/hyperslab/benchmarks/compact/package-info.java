/** Measures the cost of the compactor. */
package org.hyperslab.benchmarks.compact;
