package org.hyperslab.format.index;

import java.util.Arrays;

/**
 * The place of an object's bytes in memory, valid until the heap is edited.
 *
 * @param bytes an array that holds more than the object; not to be changed
 * @param at the object's first byte
 * @param length its length in bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record HeapObject(byte[] bytes, int at, int length) {

  /** {@return the object's bytes, copied} */
  public byte[] copy() {
    return Arrays.copyOfRange(bytes, at, at + length);
  }
}
