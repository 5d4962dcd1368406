package org.hyperslab.format.io;

/**
 * The two sizes that a superblock sets for a whole file, how its addresses are read, and the file's
 * name for messages.
 *
 * @param file the path or URI, for errors
 * @param sizeOfOffsets bytes in an encoded file address: 2, 4, 8 (16 and 32 are refused earlier)
 * @param sizeOfLengths bytes in an encoded length: 2, 4, 8
 * @param unsignedAddresses whether addresses from 2^63 on, which are negative as a Java long, are
 *     in the file: those of the multi and split drivers are
 */
public record FileGeometry(
    String file, int sizeOfOffsets, int sizeOfLengths, boolean unsignedAddresses) {

  /** The undefined address: all bits set, whatever the size of offsets. */
  public static final long UNDEFINED = -1L;

  /**
   * Sizes for a file whose addresses are below 2^63.
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
   * {@return whether a number decoded from the file can be an address of it}
   *
   * @param address the address, relative to the base address
   */
  public boolean isAddress(long address) {
    return unsignedAddresses ? address != UNDEFINED : address >= 0;
  }

  /**
   * {@return eight-byte offsets and lengths, as nearly every file has}
   *
   * @param file the file's name, for errors
   */
  public static FileGeometry standard(String file) {
    return new FileGeometry(file, 8, 8);
  }
}
