/**
 * Machines as values: {@link org.hyperslab.machine.Machine} has coordinates, distances in hops,
 * bandwidths by level, routes, I/O nodes and storage servers. After Tessier, Vishwanath, Jeannot:
 * TAPIOCA, An I/O Library for Optimized Topology-Aware Data Aggregation on Large-Scale
 * Supercomputers (2017), whose topology interface this extends.
 */
package org.hyperslab.machine;
