/**
 * What a machine is like for ranks that communicate: coordinates, distances in hops, bandwidths by
 * level, routes, I/O nodes and storage servers. Values only; nothing here sends a message but
 * {@link org.hyperslab.mpiio.machine.PingPong}.
 *
 * <p>After Tessier, Vishwanath, Jeannot: TAPIOCA, An I/O Library for Optimized Topology-Aware Data
 * Aggregation on Large-Scale Supercomputers (2017), whose interface to the topology this widens.
 */
package org.hyperslab.mpiio.machine;
