package org.hyperslab.format.index;

import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The properties of a heap that never change: how ids and blocks are encoded.
 *
 * @param geometry the file's sizes
 * @param headerAddress where the heap's header stands, which every block repeats
 * @param table the doubling table
 * @param idBytes length of heap ids
 * @param offsetBytes bytes of a heap offset in ids and blocks
 * @param lengthBytes bytes of a managed object's length in ids
 * @param maximumManagedBytes the largest managed object
 * @param checksummed whether direct blocks carry a checksum
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
   * Reads the fields with which every block begins, up to its place in the heap.
   *
   * @throws CorruptFileException if it is not a block of this heap for this place
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

  /** Returns the number of bytes that a heap offset of the given number of bits is encoded in. */
  static int offsetBytes(int indexBits) {
    return (indexBits + 7) / 8;
  }

  /** Returns the number of bytes that the length of a managed object is encoded in. */
  static int lengthBytes(long maximumDirectBytes, long maximumManagedBytes) {
    int offsetInBlock = (DoublingTable.log2(maximumDirectBytes) + 7) / 8;
    int length = maximumManagedBytes == 0 ? 1 : DoublingTable.log2(maximumManagedBytes) / 8 + 1;
    return Math.min(offsetInBlock, length);
  }

  /** Returns whether tiny objects have a length of twelve bits instead of four. */
  boolean tinyExtended() {
    return idBytes - 1 > SHORT_TINY_BYTES + 1;
  }

  /** Returns the largest object that fits in an id. */
  int maximumTinyBytes() {
    if (tinyExtended()) {
      return idBytes - 2;
    }
    return Math.min(idBytes - 1, SHORT_TINY_BYTES);
  }

  /** Returns the number of bytes of an id that holds a huge object's place itself. */
  int directHugeBytes() {
    int place = 1 + geometry.sizeOfOffsets() + geometry.sizeOfLengths();
    return filtered() ? place + 4 + geometry.sizeOfLengths() : place;
  }

  /** Returns whether ids of huge objects hold their place, rather than a key of the B-tree. */
  boolean hugeDirect() {
    return idBytes >= directHugeBytes();
  }

  /** Returns the number of bytes of a huge object's key in an id. */
  int hugeKeyBytes() {
    return Math.min(8, idBytes - 1);
  }
}
