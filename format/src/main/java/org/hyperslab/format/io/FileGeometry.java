package org.hyperslab.format.io;

/**
 * The sizes that a superblock sets for a whole file, the interpretation of its addresses, and the
 * file's name for errors.
 *
 * @param file the path or URI, for errors
 * @param sizeOfOffsets the size of an encoded file address in bytes: 2, 4, 8 (16 and 32 are refused
 *     earlier)
 * @param sizeOfLengths the size of an encoded length in bytes: 2, 4, 8
 * @param unsignedAddresses whether addresses from 2^63 on, which are negative as a Java long, are
 *     valid in the file, as with the multi and split drivers
 */
public record FileGeometry(
    String file, int sizeOfOffsets, int sizeOfLengths, boolean unsignedAddresses) {

  /** The undefined address: all bits set, whatever the size of offsets. */
  public static final long UNDEFINED = -1L;

  /**
   * Creates the sizes for a file whose addresses are below 2^63.
   *
   * @param file the file's name, for errors
   * @param sizeOfOffsets the bytes of an offset: 2, 4 or 8
   * @param sizeOfLengths the bytes of a length: 2, 4 or 8
   */
  public FileGeometry(String file, int sizeOfOffsets, int sizeOfLengths) {
    this(file, sizeOfOffsets, sizeOfLengths, false);
  }

  /** {@return these sizes, for a file with addresses up to 2^64} */
  public FileGeometry withUnsignedAddresses() {
    return new FileGeometry(file, sizeOfOffsets, sizeOfLengths, true);
  }

  /**
   * {@return whether a number decoded from the file can be an address in it}
   *
   * @param address the address, relative to the file's base address
   */
  public boolean isAddress(long address) {
    return unsignedAddresses ? address != UNDEFINED : address >= 0;
  }

  /**
   * {@return the geometry with eight-byte offsets and lengths, as in nearly every file}
   *
   * @param file the file's name, for errors
   */
  public static FileGeometry standard(String file) {
    return new FileGeometry(file, 8, 8);
  }
}
