package org.hyperslab.plugins.compacting;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hyperslab.plugins.compacting.plan.Origin;

/**
 * An operation that is not merged but has to keep its place among requests that are: a change of
 * extent, a flush, a close, a write of elements with out-of-line parts, a write of a stored chunk.
 *
 * @param origin the sender
 * @param scope the requests that it is ordered with
 * @param action starts the operation. It is called once, when everything before it in its scope has
 *     completed; what follows in its scope waits until the returned stage completes, normally or
 *     not. What it throws is the failure of the request
 */
record OrderedRequest(Origin origin, Scope scope, Supplier<CompletionStage<?>> action) {}
