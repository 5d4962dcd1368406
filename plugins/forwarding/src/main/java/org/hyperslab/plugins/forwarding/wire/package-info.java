/**
 * The wire between clients and servers: frames over TCP or unix domain sockets, with TLS between
 * machines. A frame consists of a fixed header, a control message and raw payload. Types of Netty
 * and Protocol Buffers do not leave this package.
 */
package org.hyperslab.plugins.forwarding.wire;
