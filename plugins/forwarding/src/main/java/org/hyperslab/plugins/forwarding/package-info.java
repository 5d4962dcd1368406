/**
 * Implements staging servers: the connector {@code forwarding}, which lets servers carry out every
 * operation, the server, and the wire protocol between them.
 *
 * <p>A server runs the operations of its clients' sessions through any connector, below one folder
 * and within a bounded amount of memory. A frame consists of a fixed header, a control message and
 * raw payload, over TCP or unix domain sockets; no types of Netty or Protocol Buffers appear in
 * public signatures. If a file has several servers, each reads and writes its stripes of a dataset
 * directly in the shared file. For each edited file, a journal keeps the operations that have been
 * acknowledged as durable and are not yet part of a flushed file, in their order.
 */
package org.hyperslab.plugins.forwarding;
