package org.hyperslab.plugins.compacting.queue;

import java.util.concurrent.CompletableFuture;
import org.hyperslab.plugins.compacting.plan.Region;
import org.hyperslab.plugins.compacting.report.RequestOrigin;

/**
 * A submitted request, and the future of its reply.
 *
 * <p>Thread rule: {@code ended} is guarded by the lane's queue; the rest does not change.
 */
abstract sealed class PendingRequest permits PendingTransfer, PendingOperation {

  final CompletableFuture<Reply> reply = new CompletableFuture<>();

  /** Whether the reply has been initiated, so that the buffer may change at any moment. */
  boolean ended;

  /** {@return the sender} */
  abstract RequestOrigin origin();

  /** {@return the size of the buffer in bytes; 0 without a buffer} */
  abstract long bytes();

  /**
   * {@return the bytes that count against the bound of the queue; -1 if the request is not counted}
   */
  abstract long countedBytes();

  /**
   * Tests whether the order of this request and another matters.
   *
   * @param region the elements of the other request
   * @param writes whether the other request changes them
   * @return whether the order matters
   */
  abstract boolean conflictsWith(Region region, boolean writes);
}
