package org.hyperslab.format.index.btree;

/**
 * A search key in a B-tree. It compares itself with encoded records in place, so that a search
 * decodes and allocates nothing.
 */
@FunctionalInterface
public interface RecordKey {

  /**
   * Compares this key with a stored record.
   *
   * @param records an array of encoded records; must not be kept or modified
   * @param at the index of the record's first byte
   * @return negative, zero or positive if the key is before, at or after the record
   */
  int compareTo(byte[] records, int at);
}
