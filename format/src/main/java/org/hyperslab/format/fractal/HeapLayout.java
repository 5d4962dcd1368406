package org.hyperslab.format.fractal;

import org.hyperslab.format.io.FileGeometry;

/**
 * What of a heap never changes: how ids and blocks are encoded.
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

  boolean filtered() {
    return pipeline.length > 0;
  }

  /** Bytes of a direct block before its first object. */
  static int overhead(FileGeometry geometry, int offsetBytes, boolean checksummed) {
    return 4 + 1 + geometry.sizeOfOffsets() + offsetBytes + (checksummed ? 4 : 0);
  }

  int overhead() {
    return overhead(geometry, offsetBytes, checksummed);
  }

  /** Bytes that a heap offset of so many bits is encoded in. */
  static int offsetBytes(int indexBits) {
    return (indexBits + 7) / 8;
  }

  /** Bytes that the length of a managed object is encoded in. */
  static int lengthBytes(long maximumDirectBytes, long maximumManagedBytes) {
    int offsetInBlock = (DoublingTable.log2(maximumDirectBytes) + 7) / 8;
    int length = maximumManagedBytes == 0 ? 1 : DoublingTable.log2(maximumManagedBytes) / 8 + 1;
    return Math.min(offsetInBlock, length);
  }

  /** Whether tiny objects have a length of twelve bits instead of four. */
  boolean tinyExtended() {
    return idBytes - 1 > SHORT_TINY_BYTES + 1;
  }

  /** The largest object that fits in an id. */
  int maximumTinyBytes() {
    if (tinyExtended()) {
      return idBytes - 2;
    }
    return Math.min(idBytes - 1, SHORT_TINY_BYTES);
  }

  /** Bytes of an id that holds a huge object's place itself. */
  int directHugeBytes() {
    int place = 1 + geometry.sizeOfOffsets() + geometry.sizeOfLengths();
    return filtered() ? place + 4 + geometry.sizeOfLengths() : place;
  }

  /** Whether ids of huge objects hold their place, rather than a key of the B-tree. */
  boolean hugeDirect() {
    return idBytes >= directHugeBytes();
  }

  /** Bytes of a huge object's key in an id. */
  int hugeKeyBytes() {
    return Math.min(8, idBytes - 1);
  }
}
