package org.hyperslab.plugins.compacting.queue;

import org.hyperslab.plugins.compacting.report.Trace;

/**
 * The reply to a request that succeeded.
 *
 * @param trace the way in which the request was handled, and why
 * @param result the result of an ordered request's stage; null for raw data
 */
public record Reply(Trace trace, Object result) {}
