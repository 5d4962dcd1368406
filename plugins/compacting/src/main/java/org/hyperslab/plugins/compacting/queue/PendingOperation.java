package org.hyperslab.plugins.compacting.queue;

import org.hyperslab.plugins.compacting.plan.Region;
import org.hyperslab.plugins.compacting.report.RequestOrigin;

/** A pending ordered request, and the barrier at which the lanes of its scope meet. */
final class PendingOperation extends PendingRequest {

  final OrderedRequest request;
  final Barrier barrier = new Barrier();

  PendingOperation(OrderedRequest request) {
    this.request = request;
  }

  @Override
  RequestOrigin origin() {
    return request.origin();
  }

  @Override
  long bytes() {
    return 0;
  }

  @Override
  long countedBytes() {
    return -1;
  }

  @Override
  boolean conflictsWith(Region region, boolean writes) {
    return !(request.scope() instanceof OrderScope.Part part) || part.region().overlaps(region);
  }
}
