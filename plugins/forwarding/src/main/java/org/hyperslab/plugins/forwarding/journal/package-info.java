/**
 * Journals of the files that a staging server edits: the operations that have been acknowledged as
 * durable and are not yet part of a flushed file, in their order.
 */
package org.hyperslab.plugins.forwarding.journal;
