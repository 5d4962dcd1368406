/**
 * Collective reads and writes: algorithms as pure functions from what all ranks access to one
 * rank's schedule, the rule that chooses among them, and the entry that runs them.
 */
package org.hyperslab.mpiio.collective;
