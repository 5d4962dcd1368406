package org.hyperslab.format.type.value;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenHeap;

/** Reads and writes elements of one type as Java values. Immutable. */
interface Node {

  Object get(MemorySegment elements, long at, VlenHeap heap);

  void put(Object value, MemorySegment elements, long at, VlenHeap heap);

  /** The error for a value of a wrong kind. */
  static InvalidUseException mismatch(Object value, Datatype type) {
    String actual = value == null ? "null" : value.getClass().getName();
    return new InvalidUseException(
        "Java value: actual=" + actual + ", expected one that fits " + type.describe());
  }
}
