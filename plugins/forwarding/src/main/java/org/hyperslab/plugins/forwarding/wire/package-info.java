/**
 * Frames between a client and a server: a fixed header, a small control message, and raw payload
 * beside it, over TCP or unix domain sockets. Neither Netty nor Protocol Buffers is seen outside.
 */
package org.hyperslab.plugins.forwarding.wire;
