/**
 * Journals: for each edited file, the operations that have been acknowledged as durable and are not
 * yet part of a flushed file, in their order; and their replay after a crash.
 */
package org.hyperslab.plugins.forwarding.journal;
