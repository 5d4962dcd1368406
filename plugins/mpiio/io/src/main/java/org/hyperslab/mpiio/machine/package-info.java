/**
 * Models of machines, and the assignment of ranks and file domains to their processors. These are
 * pure functions and values; only {@link org.hyperslab.mpiio.machine.PingPong} and the election of
 * aggregators send messages.
 *
 * <ul>
 *   <li>{@link org.hyperslab.mpiio.machine.Machine}: coordinates, distances in hops, bandwidths by
 *       level, routes, I/O nodes and storage servers. After Tessier, Vishwanath, Jeannot: TAPIOCA,
 *       An I/O Library for Optimized Topology-Aware Data Aggregation on Large-Scale Supercomputers
 *       (2017), whose topology interface this extends.
 *   <li>{@link org.hyperslab.mpiio.machine.DomainAssignment}: the rank that aggregates each part of
 *       a file: the linear assignment problem, the traffic between ranks and file domains, and the
 *       assignment rules.
 *   <li>{@link org.hyperslab.mpiio.machine.ProcessPlacement}: the processor of each rank of a job:
 *       the amounts that ranks exchange, the costs between processors, and the heuristics that
 *       match one to the other.
 * </ul>
 */
package org.hyperslab.mpiio.machine;
