package org.hyperslab.model;

/**
 * How far the steps of a file are.
 *
 * @param published the number of steps that readers see
 * @param allowed the number of steps that may be published now, because followers for whom the
 *     writer waits have taken earlier ones; {@link Long#MAX_VALUE} if there are no such followers
 */
public record StepProgress(long published, long allowed) {}
