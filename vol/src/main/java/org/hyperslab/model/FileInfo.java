package org.hyperslab.model;

/**
 * An open file.
 *
 * @param name its path or URI
 * @param writable whether it may be edited
 * @param superblockVersion 0 to 3; -1 where the connector has no superblock
 * @param sizeBytes its length, user block included
 * @param freeBytes bytes in it that nothing uses and that are known to be free
 * @param creation what it was created with, as far as the file tells
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
    long addresses = 4L * creation.sizeOfOffsets();
    long rootEntry = (long) creation.sizeOfLengths() + creation.sizeOfOffsets() + 24;
    return switch (superblockVersion) {
      case 0 -> 24 + addresses + rootEntry;
      case 1 -> 28 + addresses + rootEntry;
      case 2, 3 -> 16 + addresses;
      default -> -1;
    };
  }
}
