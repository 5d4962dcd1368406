package org.hyperslab.mpiio.file;

/**
 * An access that goes on. Its memory must not be touched until it has ended.
 *
 * <p>Thread rule: one thread at a time.
 */
public interface FileRequest {

  /**
   * Whether it has ended. Where a file has no progress thread (see {@link MpiFile}), this carries
   * out collective accesses that were started, and may then wait for other ranks to do the same.
   *
   * @return whether it has ended
   */
  boolean test();

  /**
   * Waits for its end; may be asked again.
   *
   * @return what was moved
   * @throws org.hyperslab.error.HyperslabException if it failed
   */
  AccessStatus await();
}
