/**
 * What a machine is like for ranks that communicate, and who does what where on it. Pure functions
 * and values; nothing here sends a message but {@link org.hyperslab.mpiio.machine.PingPong} and the
 * election of aggregators.
 *
 * <ul>
 *   <li>{@link org.hyperslab.mpiio.machine.Machine}: coordinates, distances in hops, bandwidths by
 *       level, routes, I/O nodes and storage servers. After Tessier, Vishwanath, Jeannot: TAPIOCA,
 *       An I/O Library for Optimized Topology-Aware Data Aggregation on Large-Scale Supercomputers
 *       (2017), whose interface to the topology this widens.
 *   <li>{@link org.hyperslab.mpiio.machine.DomainAssignment}: which rank aggregates which part of a
 *       file: the linear assignment problem, the traffic between ranks and file domains, and the
 *       rules that weigh it against a machine.
 *   <li>{@link org.hyperslab.mpiio.machine.ProcessPlacement}: which processor each rank of a job
 *       should be on: what ranks exchange, what it costs between processors, and the heuristics
 *       that match one to the other.
 * </ul>
 */
package org.hyperslab.mpiio.machine;
