package org.hyperslab.plugins.compacting;

import java.util.Map;

/**
 * How a compactor does.
 *
 * @param submitted requests submitted
 * @param replied requests that have their reply
 * @param queuedRequests requests without a reply, as accounted
 * @param queuedBytes the bytes of their buffers
 * @param batches batches planned
 * @param issuedWrites write requests that went to the storage
 * @param issuedReads read requests that went to the storage
 * @param issuedBytes the bytes of both
 * @param stolenBytes bytes of reads that were answered from writes
 * @param savedBytes bytes of writes that never were written, because later ones covered them
 * @param treatments how many requests had each treatment
 */
public record CompactorCounts(
    long submitted,
    long replied,
    long queuedRequests,
    long queuedBytes,
    long batches,
    long issuedWrites,
    long issuedReads,
    long issuedBytes,
    long stolenBytes,
    long savedBytes,
    Map<Treatment, Long> treatments) {}
