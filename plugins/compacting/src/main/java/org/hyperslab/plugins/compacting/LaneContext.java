package org.hyperslab.plugins.compacting;

import org.hyperslab.plugins.compacting.plan.BatchPlanner;

/**
 * What the lanes of a compactor share.
 *
 * @param options the options of the compactor
 * @param planner plans batches
 * @param admission bounds the requests
 * @param tally counts what is done
 * @param storage calls the storage
 * @param threads runs what must not run in the submitting thread
 * @param replies gives replies
 * @param trigger the clock
 * @param largeBytes the least number of bytes ahead that a small request may pass
 */
record LaneContext(
    CompactorOptions options,
    BatchPlanner planner,
    Admission admission,
    CompactorTally tally,
    StorageCalls storage,
    RequestThreads threads,
    Replies replies,
    Trigger trigger,
    long largeBytes) {}
