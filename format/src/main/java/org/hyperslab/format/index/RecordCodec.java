package org.hyperslab.format.index;

/**
 * One record type of version-2 B-trees: its number, its fixed size and its order.
 *
 * <p>Thread rule: implementations are immutable.
 *
 * @param <R> the decoded record
 */
interface RecordCodec<R> {

  /** {@return the type number in the B-tree header (specification table "B-tree record type")} */
  int type();

  /** {@return bytes of an encoded record in this file} */
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
   * Orders a record against an encoded one. Types whose order depends on more than the record
   * (names in a heap behind equal hashes) order by what they have; such trees are searched with an
   * explicit {@link RecordKey}.
   *
   * @param record the record
   * @param records the encoded records
   * @param at the index of the first byte
   * @return a negative number, 0 or a positive number as the record is before, at or after the
   *     encoded one
   */
  int compare(R record, byte[] records, int at);
}
