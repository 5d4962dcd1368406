/**
 * Which rank aggregates which part of a file: the linear assignment problem, the traffic between
 * ranks and file domains, and the rules that weigh it against a machine. Pure functions but for
 * {@link org.hyperslab.mpiio.assignment.AggregatorElection}.
 */
package org.hyperslab.mpiio.assignment;
