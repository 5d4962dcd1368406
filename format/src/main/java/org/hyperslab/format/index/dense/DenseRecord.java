package org.hyperslab.format.index.dense;

import java.util.Arrays;
import org.hyperslab.format.index.btree.RecordBytes;
import org.hyperslab.format.index.btree.RecordCodec;

/**
 * A record of one of the four indexes, each of which stores some of these fields.
 *
 * @param heapId the id of the message in the heap
 * @param hash the lookup3 hash of the name
 * @param order the creation order
 * @param flags the flags of an attribute message
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record DenseRecord(byte[] heapId, int hash, long order, int flags) {

  static final int LINK_ID_BYTES = 7;
  static final int ATTRIBUTE_ID_BYTES = 8;

  /**
   * One of the record types.
   *
   * <pre>
   *   5, link name:       hash u32 | heap id 7
   *   6, link order:      order i64 | heap id 7
   *   8, attribute name:  heap id 8 | flags | order u32 | hash u32
   *   9, attribute order: heap id 8 | flags | order u32
   * </pre>
   */
  enum Codec implements RecordCodec<DenseRecord> {
    LINK_NAME(5, 4, LINK_ID_BYTES, -1, -1, 0),
    LINK_ORDER(6, 8, LINK_ID_BYTES, -1, 0, -1),
    ATTRIBUTE_NAME(8, 0, ATTRIBUTE_ID_BYTES, 8, 9, 13),
    ATTRIBUTE_ORDER(9, 0, ATTRIBUTE_ID_BYTES, 8, 9, -1);

    private final int type;
    private final int idAt;
    private final int idBytes;
    private final int flagsAt;
    private final int orderAt;
    private final int hashAt;

    Codec(int type, int idAt, int idBytes, int flagsAt, int orderAt, int hashAt) {
      this.type = type;
      this.idAt = idAt;
      this.idBytes = idBytes;
      this.flagsAt = flagsAt;
      this.orderAt = orderAt;
      this.hashAt = hashAt;
    }

    @Override
    public int type() {
      return type;
    }

    int orderBytes() {
      return flagsAt < 0 ? 8 : 4;
    }

    /** Returns the offset of the heap id in a record. */
    int idAt() {
      return idAt;
    }

    @Override
    public int encodedSize() {
      int size = idBytes + (flagsAt < 0 ? 0 : 1);
      size += orderAt < 0 ? 0 : orderBytes();
      return size + (hashAt < 0 ? 0 : 4);
    }

    @Override
    public void encode(DenseRecord record, byte[] target, int at) {
      RecordBytes.putBytes(target, at + idAt, record.heapId, idBytes);
      if (flagsAt >= 0) {
        target[at + flagsAt] = (byte) record.flags;
      }
      if (orderAt >= 0) {
        RecordBytes.putUnsigned(target, at + orderAt, record.order, orderBytes());
      }
      if (hashAt >= 0) {
        RecordBytes.putInt32(target, at + hashAt, record.hash);
      }
    }

    @Override
    public DenseRecord decode(byte[] source, int at) {
      return new DenseRecord(
          Arrays.copyOfRange(source, at + idAt, at + idAt + idBytes),
          hashAt < 0 ? 0 : RecordBytes.int32(source, at + hashAt),
          orderAt < 0 ? -1 : order(source, at),
          flags(source, at));
    }

    int hash(byte[] source, int at) {
      return RecordBytes.int32(source, at + hashAt);
    }

    int flags(byte[] source, int at) {
      return flagsAt < 0 ? 0 : source[at + flagsAt] & 0xFF;
    }

    long order(byte[] source, int at) {
      return RecordBytes.unsigned(source, at + orderAt, orderBytes());
    }

    @Override
    public int compare(DenseRecord record, byte[] records, int at) {
      return hashAt >= 0
          ? Integer.compareUnsigned(record.hash, hash(records, at))
          : Long.compare(record.order, order(records, at));
    }
  }
}
