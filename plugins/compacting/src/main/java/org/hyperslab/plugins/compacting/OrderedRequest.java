package org.hyperslab.plugins.compacting;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * An operation that is not merged but must keep its place among those that are: a change of extent,
 * a flush, a close, a write of elements with out-of-line parts, a chunk as stored.
 *
 * @param origin who asks
 * @param scope what it is ordered against
 * @param action starts it when everything before it in its scope has completed; what comes after in
 *     its scope waits until the returned stage completes, in whatever way. Called once. What it
 *     throws is the reply.
 */
public record OrderedRequest(Origin origin, Scope scope, Supplier<CompletionStage<?>> action)
    implements Request {}
