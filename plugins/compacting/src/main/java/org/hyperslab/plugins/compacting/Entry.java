package org.hyperslab.plugins.compacting;

import java.util.concurrent.CompletableFuture;

/**
 * A request on its way, and where its reply goes.
 *
 * <p>Thread rule: {@code ended} and what follows it are guarded by the lane, {@code trace} is
 * handed on with the entry; the rest does not change.
 */
final class Entry {

  final Request request;
  final CompletableFuture<Reply> reply = new CompletableFuture<>();

  /** Bytes for which it is accounted; -1 if it is not. */
  final long accounted;

  /** What an ordered request waits for; null for raw data. */
  final Barrier barrier;

  /** What the plan says of it; set before it is carried out. */
  Trace trace;

  /** Whether the reply is on its way, so that the buffer may change any moment. */
  boolean ended;

  /** How many reads copy from its buffer just now. */
  int pins;

  /** What gives the reply when nobody copies any more; null if it is not due. */
  Runnable whenUnpinned;

  Entry(Request request, long accounted, Barrier barrier) {
    this.request = request;
    this.accounted = accounted;
    this.barrier = barrier;
  }

  /** The bytes of its buffer; 0 for an ordered request. */
  long bytes() {
    return request instanceof RawRequest raw ? raw.bytes() : 0;
  }

  boolean isOrdered() {
    return request instanceof OrderedRequest;
  }

  /** Whether it matters which of the two comes first. */
  boolean conflictsWith(Region region, boolean writes) {
    return switch (request) {
      case WriteRequest write -> write.region().overlaps(region);
      case ReadRequest read -> writes && read.region().overlaps(region);
      case OrderedRequest ordered ->
          !(ordered.scope() instanceof Scope.Part part) || part.region().overlaps(region);
    };
  }
}
