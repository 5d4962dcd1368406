package org.hyperslab.mpiio.file;

/**
 * An access that was completed when it was started. Thread rule: immutable.
 *
 * @param status the status
 */
public record CompletedAccess(AccessStatus status) implements FileRequest {
  @Override
  public boolean test() {
    return true;
  }

  @Override
  public AccessStatus await() {
    return status;
  }
}
