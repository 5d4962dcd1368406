/** JMH benchmarks of chunk indexes: finding and adding a chunk, with all blocks in memory. */
package org.hyperslab.benchmarks.chunk;
