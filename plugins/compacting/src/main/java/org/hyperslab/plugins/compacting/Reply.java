package org.hyperslab.plugins.compacting;

/**
 * The successful end of a request.
 *
 * @param trace what became of it, and why
 * @param result what an ordered request's stage completed with; null for raw data
 */
public record Reply(Trace trace, Object result) {}
