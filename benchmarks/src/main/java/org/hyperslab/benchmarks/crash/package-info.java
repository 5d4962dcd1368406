/** Measures the cost of safe flushes. */
package org.hyperslab.benchmarks.crash;
