package org.hyperslab.plugins.forwarding.task;

/**
 * Counters of an engine.
 *
 * @param live tasks that have not ended
 * @param queued tasks that wait for a thread only
 * @param done tasks that completed
 * @param failed tasks that failed, or needed a task that failed
 * @param cancelled tasks that were cancelled
 */
public record TaskCounts(long live, long queued, long done, long failed, long cancelled) {}
