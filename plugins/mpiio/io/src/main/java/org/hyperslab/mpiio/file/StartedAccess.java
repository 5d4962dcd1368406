package org.hyperslab.mpiio.file;

import org.hyperslab.mpiio.collective.TransferLane;

/** An access in progress. Thread rule: that of {@link FileRequest}. */
record StartedAccess(TransferLane.Ongoing<AccessStatus> ongoing) implements FileRequest {
  @Override
  public boolean test() {
    return ongoing.test();
  }

  @Override
  public AccessStatus await() {
    return ongoing.await();
  }
}
