package org.hyperslab.plugins.compacting.queue;

import org.hyperslab.plugins.compacting.options.CompactorOptions;
import org.hyperslab.plugins.compacting.plan.BatchPlanner;

/**
 * The parts of a compactor that its lanes share.
 *
 * @param options the options of the compactor
 * @param planner plans batches
 * @param admission bounds the unanswered requests
 * @param tally counts activity
 * @param storage calls the storage
 * @param threads runs actions that must not run in the submitting thread
 * @param replies gives replies
 * @param scheduler the clock
 * @param largeBytes the least number of bytes queued before a small request with which it may
 *     bypass them
 */
record LaneContext(
    CompactorOptions options,
    BatchPlanner planner,
    Admission admission,
    CompactorTally tally,
    StorageCalls storage,
    RequestThreads threads,
    Replies replies,
    DelayScheduler scheduler,
    long largeBytes) {}
