package org.hyperslab.format.index;

/**
 * A key to search for in a B-tree: compares itself with encoded records where they stand, so that a
 * search decodes and allocates nothing.
 */
@FunctionalInterface
interface RecordKey {

  /**
   * Compares the sought key with a stored record.
   *
   * @param records an array of encoded records; not to be kept or changed
   * @param at the first byte of the record
   * @return negative, zero or positive as the key comes before, is, or comes after the record
   */
  int compareTo(byte[] records, int at);
}
