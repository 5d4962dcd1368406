package org.hyperslab.model;

import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.superblock.Superblock;

/**
 * An open file.
 *
 * @param name its path or URI
 * @param writable whether it may be edited
 * @param superblockVersion 0 to 3; -1 where the connector has no superblock
 * @param sizeBytes its length, user block included, and what follows the data of a file that is
 *     only read
 * @param freeBytes bytes in it that nothing uses and that are known to be free
 * @param creation what it was created with, as far as the file records it
 * @param fileNumber distinguishes open files
 */
public record FileInfo(
    String name,
    boolean writable,
    int superblockVersion,
    long sizeBytes,
    long freeBytes,
    CreateOptions creation,
    long fileNumber) {

  /** {@return the bytes of its superblock, without the extension; -1 if it has none} */
  public long superblockBytes() {
    return superblockVersion < 0
        ? -1
        : Superblock.encodedSize(
            superblockVersion,
            new FileGeometry(name, creation.sizeOfOffsets(), creation.sizeOfLengths()));
  }
}
