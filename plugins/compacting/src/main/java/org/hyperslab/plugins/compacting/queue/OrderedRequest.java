package org.hyperslab.plugins.compacting.queue;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hyperslab.plugins.compacting.report.RequestOrigin;

/**
 * An operation that is not merged but must keep its place among requests that are. Examples are a
 * change of extent, a flush, a close, a write of elements with out-of-line parts, and a write of a
 * stored chunk.
 *
 * @param origin the sender
 * @param scope the requests that it is ordered with
 * @param action starts the operation. It is called once, when all earlier requests in its scope
 *     have completed; later requests in its scope wait until the returned stage completes, normally
 *     or exceptionally. An exception that it throws is the failure of the request
 */
public record OrderedRequest(
    RequestOrigin origin, OrderScope scope, Supplier<CompletionStage<?>> action) {}
