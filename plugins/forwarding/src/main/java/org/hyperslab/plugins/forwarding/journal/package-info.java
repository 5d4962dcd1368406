/**
 * The journal of a file that a staging server edits: what has been promised to be durable and is
 * not yet part of a flushed file, in the order in which it was carried out. Knows no network.
 */
package org.hyperslab.plugins.forwarding.journal;
