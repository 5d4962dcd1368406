/**
 * Which processor each rank of a job should be on: what ranks exchange, what it costs between
 * processors, and the heuristics that match one to the other. Pure functions.
 */
package org.hyperslab.mpiio.placement;
