package org.hyperslab.mpiio.file;

/**
 * The first half of a split collective access; its memory must not be touched until {@link #end},
 * the second half, has returned.
 */
@FunctionalInterface
public interface SplitAccess {

  /**
   * {@return the second half: waits for the end of the access; collective, once}
   *
   * @throws org.hyperslab.error.HyperslabException if the access failed
   */
  AccessStatus end();
}
