/**
 * Queues requests per dataset and carries them out in batches, over any {@link
 * org.hyperslab.plugins.compacting.run.StorageLayer}. To use it without a connector, submit {@link
 * org.hyperslab.plugins.compacting.plan.WriteRequest}s, {@link
 * org.hyperslab.plugins.compacting.plan.ReadRequest}s and {@link
 * org.hyperslab.plugins.compacting.run.OrderedRequest}s to a {@link
 * org.hyperslab.plugins.compacting.run.Compactor}.
 */
package org.hyperslab.plugins.compacting.run;
