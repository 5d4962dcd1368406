package org.hyperslab.mpiio.file;

/**
 * An access that goes on. Its memory must not be touched until it has ended.
 *
 * <p>Thread rule: one thread at a time.
 */
public interface FileRequest {

  /**
   * Returns whether it has ended. Never waits: not for other ranks, for locks on the file or for
   * memory. Makes the started accesses of the file go on as far as they can; requests to the file
   * are carried out by other threads, but those of an access whose memory belongs to a confined
   * arena are carried out here.
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
