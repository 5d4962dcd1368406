package org.hyperslab.format.index.fractal;

import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The properties of a heap that never change, which determine the encoding of ids and blocks.
 *
 * @param geometry the file's sizes
 * @param headerAddress the address of the heap's header, which every block repeats
 * @param table the doubling table
 * @param idBytes the length of heap ids in bytes
 * @param offsetBytes the width of a heap offset in ids and blocks, in bytes
 * @param lengthBytes the width of a managed object's length in ids, in bytes
 * @param maximumManagedBytes the size of the largest managed object in bytes
 * @param checksummed whether direct blocks have a checksum
 * @param pipeline the encoded filter pipeline message; empty if blocks are not filtered
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record HeapLayout(
    FileGeometry geometry,
    long headerAddress,
    DoublingTable table,
    int idBytes,
    int offsetBytes,
    int lengthBytes,
    long maximumManagedBytes,
    boolean checksummed,
    byte[] pipeline) {

  private static final int SHORT_TINY_BYTES = 16;
  private static final int BLOCK_VERSION = 0;

  boolean filtered() {
    return pipeline.length > 0;
  }

  /** Returns the number of bytes of a direct block before its first object. */
  static int overhead(FileGeometry geometry, int offsetBytes, boolean checksummed) {
    return 4 + 1 + geometry.sizeOfOffsets() + offsetBytes + (checksummed ? 4 : 0);
  }

  int overhead() {
    return overhead(geometry, offsetBytes, checksummed);
  }

  /**
   * Reads the fields with which every block begins, up to its offset in the heap.
   *
   * @throws CorruptFileException if it is not a block of this heap for this offset
   */
  void expectHead(MetadataReader reader, String signature, long heapOffset) {
    reader.signature(signature);
    reader.expectU8("version", BLOCK_VERSION);
    long owner = reader.offset();
    long offset = reader.unsigned(offsetBytes);
    if (owner != headerAddress || offset != heapOffset) {
      throw reader.corrupt(
          "block of heap "
              + owner
              + " at heap offset "
              + offset
              + ", expected="
              + headerAddress
              + " at "
              + heapOffset);
    }
  }

  /** Writes the fields that {@link #expectHead} reads. */
  void writeHead(MetadataWriter writer, String signature, long heapOffset) {
    writer.signature(signature).u8(BLOCK_VERSION).offset(headerAddress);
    writer.unsigned(heapOffset, offsetBytes);
  }

  /** Returns the width in bytes of an encoded heap offset with the given number of bits. */
  static int offsetBytes(int indexBits) {
    return (indexBits + 7) / 8;
  }

  /** Returns the width in bytes of the encoded length of a managed object. */
  static int lengthBytes(long maximumDirectBytes, long maximumManagedBytes) {
    int offsetInBlock = (DoublingTable.log2(maximumDirectBytes) + 7) / 8;
    int length = maximumManagedBytes == 0 ? 1 : DoublingTable.log2(maximumManagedBytes) / 8 + 1;
    return Math.min(offsetInBlock, length);
  }

  /** Returns whether the length of tiny objects has twelve bits instead of four. */
  boolean tinyExtended() {
    return idBytes - 1 > SHORT_TINY_BYTES + 1;
  }

  /** Returns the size of the largest object that fits in an id. */
  int maximumTinyBytes() {
    if (tinyExtended()) {
      return idBytes - 2;
    }
    return Math.min(idBytes - 1, SHORT_TINY_BYTES);
  }

  /** Returns the length in bytes of an id that holds a huge object's address and size. */
  int directHugeBytes() {
    int place = 1 + geometry.sizeOfOffsets() + geometry.sizeOfLengths();
    return filtered() ? place + 4 + geometry.sizeOfLengths() : place;
  }

  /** Returns whether ids of huge objects hold their address rather than a key of the B-tree. */
  boolean hugeDirect() {
    return idBytes >= directHugeBytes();
  }

  /** Returns the width in bytes of a huge object's key in an id. */
  int hugeKeyBytes() {
    return Math.min(8, idBytes - 1);
  }
}
