package org.hyperslab.plugins.compacting.queue;

import org.hyperslab.plugins.compacting.plan.RawRequest;
import org.hyperslab.plugins.compacting.plan.ReadRequest;
import org.hyperslab.plugins.compacting.plan.Region;
import org.hyperslab.plugins.compacting.plan.WriteRequest;
import org.hyperslab.plugins.compacting.report.RequestOrigin;
import org.hyperslab.plugins.compacting.report.Trace;

/**
 * A pending request for raw data.
 *
 * <p>Thread rule: {@code pins} and {@code whenUnpinned} are guarded by the lane's queue; {@code
 * trace} is handed over with the object.
 */
final class PendingTransfer extends PendingRequest {

  final RawRequest request;
  private final long countedBytes;

  /** The way in which the plan handles the request; set before it is carried out. */
  Trace trace;

  /** The number of reads that are copying from the buffer. */
  int pins;

  /** Gives the reply when no read copies from the buffer any more; null if no reply is due. */
  Runnable whenUnpinned;

  PendingTransfer(RawRequest request, long countedBytes) {
    this.request = request;
    this.countedBytes = countedBytes;
  }

  @Override
  RequestOrigin origin() {
    return request.origin();
  }

  @Override
  long bytes() {
    return request.bytes();
  }

  @Override
  long countedBytes() {
    return countedBytes;
  }

  @Override
  boolean conflictsWith(Region region, boolean writes) {
    return switch (request) {
      case WriteRequest write -> write.region().overlaps(region);
      case ReadRequest read -> writes && read.region().overlaps(region);
    };
  }
}
