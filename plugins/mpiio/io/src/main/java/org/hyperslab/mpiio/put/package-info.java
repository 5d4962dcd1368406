/**
 * Rounds of one-sided puts and writes as schedules, which declared writes and the simulator run.
 */
package org.hyperslab.mpiio.put;
