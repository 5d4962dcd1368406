/**
 * The staging server: sessions of clients, whose operations it carries out through the virtual
 * object layer on any connector, below one folder and within a stated amount of memory.
 */
package org.hyperslab.plugins.forwarding.server;
