/** How long chunk indexes take to find and to enter a chunk, with all blocks in memory. */
package org.hyperslab.benchmarks.chunk;
