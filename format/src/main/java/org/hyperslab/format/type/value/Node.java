package org.hyperslab.format.type.value;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenHeap;

/** Reads and writes elements of one type as Java values. Immutable. */
interface Node {

  /** Returns the element as the class that {@link ElementCodec} names. */
  Object get(MemorySegment elements, long at, VlenHeap heap);

  /** Returns the element as an instance of a class, by the rule for numbers out of range. */
  default Object getAs(Source from, long at, Class<?> target) {
    return JavaTypes.coerce(get(from.elements(), at, from.heap()), target, from.rule());
  }

  /** Writes an element. */
  void put(Object value, Target to, long at);

  /**
   * The source of elements that are read.
   *
   * @param rule for numbers that the Java class does not have
   */
  record Source(MemorySegment elements, VlenHeap heap, OutOfRange rule) {}

  /**
   * The target of elements that are written.
   *
   * @param rule for numbers that the datatype does not have
   */
  record Target(MemorySegment elements, VlenHeap heap, OutOfRange rule) {
    /** The same, but for the elements. */
    Target of(MemorySegment others) {
      return new Target(others, heap, rule);
    }
  }

  /** Returns the error for a value of a wrong kind. */
  static InvalidUseException mismatch(Object value, Datatype type) {
    String actual = value == null ? "null" : value.getClass().getName();
    String advice =
        value == null ? "; only variable-length strings, sequences and references can be null" : "";
    return new InvalidUseException(
        "Java value: actual=" + actual + ", expected one that fits " + type.describe() + advice);
  }
}
