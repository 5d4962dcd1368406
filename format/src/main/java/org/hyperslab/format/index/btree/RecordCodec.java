package org.hyperslab.format.index.btree;

/**
 * A record type of version 2 B-trees: its number, its fixed size and its order.
 *
 * <p>Thread rule: implementations are immutable.
 *
 * @param <R> the type of decoded records
 */
public interface RecordCodec<R> {

  /** {@return the type number in the B-tree header (specification table "B-tree record type")} */
  int type();

  /** {@return the size of an encoded record in this file, in bytes} */
  int encodedSize();

  /**
   * Writes a record's {@link #encodedSize()} bytes at {@code at}.
   *
   * @param record the record
   * @param target receives the bytes
   * @param at the index of the first byte
   */
  void encode(R record, byte[] target, int at);

  /**
   * Reads the record at {@code at}.
   *
   * @param source the array that holds the bytes
   * @param at the index of the first byte
   * @return the record
   */
  R decode(byte[] source, int at);

  /**
   * Compares a record with an encoded one. Record types whose order depends on more than the record
   * (on names in a heap, for equal hashes) compare only the fields of the record; trees of such
   * records are searched with an explicit {@link RecordKey}.
   *
   * @param record the record
   * @param records the encoded records
   * @param at the index of the first byte
   * @return a negative number, 0 or a positive number if the record is before, at or after the
   *     encoded one
   */
  int compare(R record, byte[] records, int at);
}
