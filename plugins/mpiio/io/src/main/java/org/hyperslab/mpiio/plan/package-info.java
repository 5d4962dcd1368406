/**
 * Collective algorithms as pure functions from the accesses of all ranks to the schedule of one,
 * and the rules that choose among them.
 */
package org.hyperslab.mpiio.plan;
