package org.hyperslab.format.index.shared;

import java.util.Arrays;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.index.btree.RecordBytes;
import org.hyperslab.format.index.btree.RecordCodec;
import org.hyperslab.format.io.FileGeometry;

/**
 * The index record of a shareable message. The hash is the lookup3 hash of the message, seeded with
 * its type.
 */
sealed interface SharedRecord {

  int HEAP_ID_BYTES = 8;

  /** Returns the message's hash. */
  int hash();

  /**
   * The record of a message in the index's heap.
   *
   * @param references the number of object headers that refer to it
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by identity only
  record InHeap(int hash, long references, byte[] heapId) implements SharedRecord {}

  /**
   * The record of a message in the single object header that uses it.
   *
   * @param type the message type code
   * @param creationIndex the 0-based index of the message among the header's messages of that type
   * @param headerAddress the address of the header
   */
  record InHeader(int hash, int type, int creationIndex, long headerAddress)
      implements SharedRecord {}

  /**
   * Encodes and decodes B-tree record type 7, which is also the entry of a list.
   *
   * <pre>
   *   location 0 | hash u32 | references u32 | heap id 8
   *   location 1 | hash u32 | reserved | type | creation index u16 | header address O
   * </pre>
   */
  record Codec(FileGeometry geometry) implements RecordCodec<SharedRecord> {

    private static final int PREFIX_BYTES = 5;

    @Override
    public int type() {
      return 7;
    }

    @Override
    public int encodedSize() {
      return PREFIX_BYTES + Math.max(4 + HEAP_ID_BYTES, 4 + geometry.sizeOfOffsets());
    }

    @Override
    public void encode(SharedRecord record, byte[] target, int at) {
      Arrays.fill(target, at, at + encodedSize(), (byte) 0);
      RecordBytes.putInt32(target, at + 1, record.hash());
      int body = at + PREFIX_BYTES;
      switch (record) {
        case InHeap heap -> {
          RecordBytes.putInt32(target, body, (int) heap.references);
          System.arraycopy(heap.heapId, 0, target, body + 4, HEAP_ID_BYTES);
        }
        case InHeader header -> {
          target[at] = 1;
          target[body + 1] = (byte) header.type;
          RecordBytes.putUnsigned(target, body + 2, header.creationIndex, 2);
          RecordBytes.putUnsigned(target, body + 4, header.headerAddress, geometry.sizeOfOffsets());
        }
      }
    }

    @Override
    public SharedRecord decode(byte[] source, int at) {
      int hash = RecordBytes.int32(source, at + 1);
      int body = at + PREFIX_BYTES;
      return switch (source[at]) {
        case 0 ->
            new InHeap(
                hash,
                RecordBytes.int32(source, body) & 0xFFFF_FFFFL,
                Arrays.copyOfRange(source, body + 4, body + 4 + HEAP_ID_BYTES));
        case 1 ->
            new InHeader(
                hash,
                source[body + 1] & 0xFF,
                (int) RecordBytes.unsigned(source, body + 2, 2),
                RecordBytes.unsigned(source, body + 4, geometry.sizeOfOffsets()));
        default ->
            throw new CorruptFileException(
                geometry.file(),
                "shared message record",
                CorruptFileException.NO_OFFSET,
                "location actual=" + source[at] + ", expected=0 or 1");
      };
    }

    @Override
    public int compare(SharedRecord record, byte[] records, int at) {
      return Integer.compareUnsigned(record.hash(), RecordBytes.int32(records, at + 1));
    }
  }
}
