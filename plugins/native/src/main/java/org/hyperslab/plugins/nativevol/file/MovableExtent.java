package org.hyperslab.plugins.nativevol.file;

/**
 * Raw data that may be moved within the file, since all references to it are known.
 *
 * <p>Thread rule: under the file's write lock.
 */
public interface MovableExtent {

  /** {@return where it stands, bytes from the base address} */
  long address();

  /** {@return its length} */
  long sizeBytes();

  /**
   * Makes the references to it refer to another address, where its bytes are already.
   *
   * @param newAddress the new place, bytes from the file's base address
   */
  void refer(long newAddress);
}
