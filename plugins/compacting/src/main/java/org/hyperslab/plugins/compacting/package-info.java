/**
 * Implements the compacting connector. It queues requests for raw data while earlier ones are
 * carried out, and then merges them (collective buffering), folds overlapping writes (write
 * morphing) and answers reads from queued writes (write stealing), so that fewer and larger
 * requests reach the connector below. The terms are those of V. Venkatesan, M. Chaarawi, Q. Koziol,
 * E. Gabriel, "Compactor: Optimization Framework at I/O Forwarding Nodes", and of the HDF5 server
 * of the Exascale Fast Forward project.
 *
 * <p>{@link org.hyperslab.plugins.compacting.CompactingConnector} turns operations of the virtual
 * object layer into requests; {@code queue} queues requests and carries them out in batches, over
 * any storage layer; {@code plan} decides, without I/O, how a batch of requests is merged. What
 * users set and see is in {@code options} and {@code report}.
 */
package org.hyperslab.plugins.compacting;
