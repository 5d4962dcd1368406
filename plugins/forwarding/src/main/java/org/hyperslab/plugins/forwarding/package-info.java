/**
 * The addresses of staging servers, and the keys by which servers and clients know each other.
 *
 * <p>A staging server carries out the operations of its clients, through any connector, below one
 * folder and within a bounded amount of memory: see {@code server}. The connector {@code
 * forwarding}, in {@code client}, lets servers carry out every operation.
 */
package org.hyperslab.plugins.forwarding;
