package org.hyperslab.plugins.compacting;

import java.util.Map;
import org.hyperslab.plugins.compacting.plan.Treatment;

/**
 * Counters of a compactor.
 *
 * @param submitted requests submitted
 * @param replied requests that have got their reply
 * @param queuedRequests requests without a reply that count against the queue's bounds
 * @param queuedBytes the total size of their buffers in bytes
 * @param batches batches planned
 * @param issuedWrites writes issued to the storage
 * @param issuedReads reads issued to the storage
 * @param issuedBytes the bytes of both
 * @param stolenBytes bytes of reads that were answered from queued writes
 * @param savedBytes bytes of writes that were not written because later writes covered them
 * @param treatments the number of requests for each treatment that occurred
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
