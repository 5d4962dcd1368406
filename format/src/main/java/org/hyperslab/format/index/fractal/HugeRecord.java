package org.hyperslab.format.index.fractal;

import org.hyperslab.format.index.btree.RecordBytes;
import org.hyperslab.format.index.btree.RecordCodec;
import org.hyperslab.format.index.btree.RecordKey;
import org.hyperslab.format.io.FileGeometry;

/**
 * The record of a huge object: its place in the file and, if ids do not contain that, its key.
 *
 * @param address the address of its bytes
 * @param storedBytes the size in the file in bytes
 * @param filterMask the filters that were skipped; 0 in unfiltered heaps
 * @param bytes the unfiltered size in bytes
 * @param key the key in ids; 0 if ids hold the address
 */
record HugeRecord(long address, long storedBytes, int filterMask, long bytes, long key) {

  /**
   * Encodes and decodes B-tree record types 1 to 4.
   *
   * <pre>
   *   address O | stored length L | [filtered: mask u32 | length L] | [indirect: key L]
   * </pre>
   */
  record Codec(FileGeometry geometry, boolean direct, boolean filtered)
      implements RecordCodec<HugeRecord> {

    @Override
    public int type() {
      return (direct ? 3 : 1) + (filtered ? 1 : 0);
    }

    @Override
    public int encodedSize() {
      int size = geometry.sizeOfOffsets() + geometry.sizeOfLengths();
      size += filtered ? 4 + geometry.sizeOfLengths() : 0;
      return direct ? size : size + geometry.sizeOfLengths();
    }

    @Override
    public void encode(HugeRecord record, byte[] target, int at) {
      int length = geometry.sizeOfLengths();
      RecordBytes.putUnsigned(target, at, record.address, geometry.sizeOfOffsets());
      int next = at + geometry.sizeOfOffsets();
      RecordBytes.putUnsigned(target, next, record.storedBytes, length);
      next += length;
      if (filtered) {
        RecordBytes.putInt32(target, next, record.filterMask);
        RecordBytes.putUnsigned(target, next + 4, record.bytes, length);
        next += 4 + length;
      }
      if (!direct) {
        RecordBytes.putUnsigned(target, next, record.key, length);
      }
    }

    @Override
    public HugeRecord decode(byte[] source, int at) {
      int length = geometry.sizeOfLengths();
      long address = RecordBytes.unsigned(source, at, geometry.sizeOfOffsets());
      int next = at + geometry.sizeOfOffsets();
      long stored = RecordBytes.unsigned(source, next, length);
      next += length;
      int mask = 0;
      long bytes = stored;
      if (filtered) {
        mask = RecordBytes.int32(source, next);
        bytes = RecordBytes.unsigned(source, next + 4, length);
        next += 4 + length;
      }
      long key = direct ? 0 : RecordBytes.unsigned(source, next, length);
      return new HugeRecord(address, stored, mask, bytes, key);
    }

    @Override
    public int compare(HugeRecord record, byte[] records, int at) {
      return direct
          ? address(record.address, record.storedBytes).compareTo(records, at)
          : key(record.key).compareTo(records, at);
    }

    /** Returns a search key for a key in an id. */
    RecordKey key(long key) {
      int length = geometry.sizeOfLengths();
      int offset = encodedSize() - length;
      return (records, at) ->
          Long.compareUnsigned(key, RecordBytes.unsigned(records, at + offset, length));
    }

    /** Returns a search key for an address and a length in an id. */
    RecordKey address(long address, long storedBytes) {
      int offsets = geometry.sizeOfOffsets();
      int length = geometry.sizeOfLengths();
      return (records, at) -> {
        int order = Long.compareUnsigned(address, RecordBytes.unsigned(records, at, offsets));
        return order != 0
            ? order
            : Long.compareUnsigned(
                storedBytes, RecordBytes.unsigned(records, at + offsets, length));
      };
    }
  }
}
