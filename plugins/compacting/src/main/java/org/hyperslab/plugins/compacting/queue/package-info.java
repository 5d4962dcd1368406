/** Queues requests for each dataset, and carries them out in batches over any storage layer. */
package org.hyperslab.plugins.compacting.queue;
