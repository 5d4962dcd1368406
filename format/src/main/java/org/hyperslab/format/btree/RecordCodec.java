package org.hyperslab.format.btree;

/**
 * One record type of version-2 B-trees: its number, its fixed size and its order.
 *
 * <p>Thread rule: implementations are immutable.
 *
 * @param <R> the decoded record
 */
public interface RecordCodec<R> {

  /** The type number in the B-tree header (specification table "B-tree record type"). */
  int type();

  /** Bytes of an encoded record in this file. */
  int encodedSize();

  /** Writes a record's {@link #encodedSize()} bytes at {@code at}. */
  void encode(R record, byte[] target, int at);

  /** Reads the record at {@code at}. */
  R decode(byte[] source, int at);

  /**
   * Orders a record against an encoded one. Types whose order depends on more than the record
   * (names in a heap behind equal hashes) order by what they have; such trees are searched with an
   * explicit {@link RecordKey}.
   */
  int compare(R record, byte[] records, int at);
}
