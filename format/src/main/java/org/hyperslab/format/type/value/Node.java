package org.hyperslab.format.type.value;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenHeap;

/** Reads and writes elements of one type as Java values. Immutable. */
interface Node {

  /** Returns the element in the Java form defined by {@link ElementCodec}. */
  Object get(MemorySegment elements, long at, VlenHeap heap);

  /**
   * Returns the element as an instance of a class, treating numbers out of range by the source's
   * rule.
   */
  default Object getAs(Source from, long at, Class<?> target) {
    Object value = get(from.elements(), at, from.heap());
    return target == Object.class ? value : JavaTypes.coerce(value, target, from.rule());
  }

  /** Writes an element. */
  void put(Object value, Target to, long at);

  /**
   * The source of elements that are read.
   *
   * @param rule the rule for numbers that the Java class cannot hold
   */
  record Source(MemorySegment elements, VlenHeap heap, OutOfRange rule) {}

  /**
   * The target of elements that are written.
   *
   * @param rule the rule for numbers that the datatype cannot hold
   */
  record Target(MemorySegment elements, VlenHeap heap, OutOfRange rule) {
    /** Returns this target with other memory for elements. */
    Target of(MemorySegment others) {
      return new Target(others, heap, rule);
    }
  }

  /** Returns the error for a value of the wrong kind. */
  static InvalidUseException mismatch(Object value, Datatype type) {
    String actual = value == null ? "null" : value.getClass().getTypeName();
    String advice =
        value == null ? "; only variable-length strings, sequences and references can be null" : "";
    return new InvalidUseException(
        "Java value: actual=" + actual + ", expected=a value for " + type.describe() + advice);
  }
}
