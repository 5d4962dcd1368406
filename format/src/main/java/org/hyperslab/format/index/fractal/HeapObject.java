package org.hyperslab.format.index.fractal;

import java.util.Arrays;

/**
 * The place of an object's bytes in memory, valid until the next edit of the heap.
 *
 * @param bytes an array that contains the object; must not be modified
 * @param at the index of the object's first byte
 * @param length the object's length in bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HeapObject(byte[] bytes, int at, int length) {

  /** {@return a copy of the object's bytes} */
  public byte[] copy() {
    return Arrays.copyOfRange(bytes, at, at + length);
  }
}
