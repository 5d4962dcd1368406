package org.hyperslab.plugins.compacting.report;

import java.util.Map;

/**
 * The counters of a compactor.
 *
 * @param submitted the number of requests submitted
 * @param replied the number of requests that have been answered
 * @param queuedRequests the number of unanswered requests that count against the queue's bounds
 * @param queuedBytes the total size of their buffers in bytes
 * @param batches the number of batches planned
 * @param issuedWrites the number of writes issued to the storage
 * @param issuedReads the number of reads issued to the storage
 * @param issuedBytes the total size of issued reads and writes in bytes
 * @param stolenBytes the bytes of reads that were answered from queued writes
 * @param savedBytes the bytes that were not written because later writes covered them
 * @param outcomes the number of requests for each outcome that occurred
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
    Map<RequestOutcome, Long> outcomes) {}
