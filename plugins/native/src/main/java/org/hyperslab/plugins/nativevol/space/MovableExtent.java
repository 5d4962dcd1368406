package org.hyperslab.plugins.nativevol.space;

/**
 * Raw data that may be moved within the file because all references to it are known.
 *
 * <p>Thread rule: under the file's write lock.
 */
public interface MovableExtent {

  /** {@return its address, bytes from the file's base address} */
  long address();

  /** {@return its length in bytes} */
  long sizeBytes();

  /**
   * Changes all references to another address, where the bytes have been copied already.
   *
   * @param newAddress the new address, bytes from the file's base address
   */
  void refer(long newAddress);
}
