package org.hyperslab.mpiio.engine;

import org.hyperslab.mpiio.collective.TransferLane;
import org.hyperslab.mpiio.file.AccessStatus;
import org.hyperslab.mpiio.file.FileRequest;

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
