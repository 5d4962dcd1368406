package org.hyperslab.plugins.forwarding.task;

/**
 * How an engine does.
 *
 * @param live tasks that have not ended
 * @param queued tasks that could run and wait for a thread
 * @param done tasks that completed
 * @param failed tasks that failed, by themselves or with one they needed
 * @param cancelled tasks that were cancelled
 */
public record TaskCounts(long live, long queued, long done, long failed, long cancelled) {}
