/**
 * Staging servers: the connector {@code forwarding}, which has servers carry out every operation,
 * the server, and the wire between them.
 *
 * <p>A server runs the operations of its clients' sessions through any connector, below one folder
 * and within a bounded amount of memory. Frames are a fixed header, a control message and raw
 * payload, over TCP or unix domain sockets; no types of Netty or Protocol Buffers appear in public
 * signatures. Where a file has several servers, each reads and writes its stripes of a dataset
 * directly in the shared file. A journal keeps, for each file that a server edits, the operations
 * that have been acknowledged as durable and are not yet part of a flushed file, in their order.
 */
package org.hyperslab.plugins.forwarding;
