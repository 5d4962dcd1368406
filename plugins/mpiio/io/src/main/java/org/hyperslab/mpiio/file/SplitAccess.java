package org.hyperslab.mpiio.file;

/**
 * The first half of a split collective access; its memory must not be touched until {@link #end},
 * the second half, has returned.
 */
@FunctionalInterface
public interface SplitAccess {

  /**
   * Ends the access: waits for its end. Collective; to be called once.
   *
   * @return the status of the access
   * @throws org.hyperslab.error.HyperslabException if the access failed
   */
  AccessStatus end();
}
