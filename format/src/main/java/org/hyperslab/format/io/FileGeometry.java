package org.hyperslab.format.io;

/**
 * The two sizes that a superblock sets for a whole file, and the file's name for messages.
 *
 * @param file the path or URI, for errors
 * @param sizeOfOffsets bytes in an encoded file address: 2, 4, 8 (16 and 32 are refused earlier)
 * @param sizeOfLengths bytes in an encoded length: 2, 4, 8
 */
public record FileGeometry(String file, int sizeOfOffsets, int sizeOfLengths) {

  /** The address that means "nowhere": all bits set, whatever the size of offsets. */
  public static final long UNDEFINED = -1L;

  /** Eight-byte offsets and lengths, as nearly every file has. */
  public static FileGeometry standard(String file) {
    return new FileGeometry(file, 8, 8);
  }
}
