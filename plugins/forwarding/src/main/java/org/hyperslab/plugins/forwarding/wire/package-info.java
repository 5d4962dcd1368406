/**
 * Frames between client and server: a fixed header, a control message and raw payload, over TCP or
 * unix domain sockets. No types of Netty or Protocol Buffers appear in public signatures.
 */
package org.hyperslab.plugins.forwarding.wire;
