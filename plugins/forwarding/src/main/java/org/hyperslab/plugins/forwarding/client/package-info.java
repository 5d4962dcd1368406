/**
 * The connector {@code forwarding}, which lets staging servers carry out every operation: the
 * session with a server, its requests and replies, and the division of a dataset among several
 * servers.
 */
package org.hyperslab.plugins.forwarding.client;
