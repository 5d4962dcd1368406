/**
 * The compactor: raw-data requests of many clients wait while earlier I/O runs, and are then merged
 * (collective buffering), folded (write morphing) or answered from each other (write stealing), so
 * that fewer and larger requests reach the storage below. After V. Venkatesan, M. Chaarawi, Q.
 * Koziol, E. Gabriel, "Compactor: Optimization Framework at I/O Forwarding Nodes", and the HDF5
 * server of the Exascale Fast Forward project.
 *
 * <p>How to use it: make {@link org.hyperslab.plugins.compacting.WriteRequest}s, {@link
 * org.hyperslab.plugins.compacting.ReadRequest}s and {@link
 * org.hyperslab.plugins.compacting.OrderedRequest}s, and submit them to a {@link
 * org.hyperslab.plugins.compacting.Compactor} over a {@link
 * org.hyperslab.plugins.compacting.StorageLayer}. {@link
 * org.hyperslab.plugins.compacting.CompactingConnector} does so for the operations of the virtual
 * object layer. What the compactor decides is a value, {@link
 * org.hyperslab.plugins.compacting.Plan}, made from a batch of requests by {@link
 * org.hyperslab.plugins.compacting.Planner} without any I/O.
 *
 * <p>Knows no network.
 */
package org.hyperslab.plugins.compacting;
