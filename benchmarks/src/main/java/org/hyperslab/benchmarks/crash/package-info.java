/** What the safety of flushes costs. */
package org.hyperslab.benchmarks.crash;
