package org.hyperslab.mpiio.file;

/**
 * A started access. Its memory must not be touched until it has ended.
 *
 * <p>Thread rule: one thread at a time.
 */
public interface FileRequest {

  /**
   * Returns whether the access has ended, without waiting for other ranks, locks on the file or
   * memory. Advances the started accesses of the file as far as possible; other threads execute
   * requests to the file, except those of an access whose memory belongs to a confined arena, which
   * are executed here.
   *
   * @return whether the access has ended
   */
  boolean test();

  /**
   * Waits for the end of the access; may be called again.
   *
   * @return the status of the access
   * @throws org.hyperslab.error.HyperslabException if it failed
   */
  AccessStatus await();
}
