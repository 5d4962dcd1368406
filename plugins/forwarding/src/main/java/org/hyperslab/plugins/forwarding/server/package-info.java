/**
 * The staging server: sessions of clients, whose operations are carried out by any connector, below
 * one folder and within a bounded amount of memory.
 */
package org.hyperslab.plugins.forwarding.server;
