package org.hyperslab.plugins.libhdf5.translate;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.RawMemory;

/**
 * The expression that a transfer property list applies to elements: {@code H5Pset_data_transform}.
 * libhdf5 parses and evaluates it, so that numbers are rounded in the same way; the functions for
 * that are not public, but its shared library exports them.
 *
 * <p>The expression remains the list's: libhdf5 1.14.5 cannot copy some, such as {@code +x}
 * (H5Z_xform_copy in H5Ztrans.c).
 *
 * <p>Thread rule: that of {@link Hdf5Calls}; while the list is not changed.
 */
public final class DataTransform {

  private static final String PROPERTY = "data_transform";

  /** The bytes of scratch memory before the name of the property. */
  private static final int VALUE_ROOM = 16;

  private final Hdf5Calls hdf5;

  /** The list's expression. */
  private final long expression;

  private DataTransform(Hdf5Calls hdf5, long expression) {
    this.hdf5 = hdf5;
    this.expression = expression;
  }

  /**
   * Returns the expression of a transfer property list; null if it has none, or one that changes
   * nothing.
   *
   * @throws UnsupportedFeatureException if it has one, and the library does not export what
   *     evaluates it
   */
  public static DataTransform of(Hdf5Calls hdf5, long list) {
    boolean evaluated = hdf5.has(Hdf5Function.Z_TRANSFORM) && hdf5.has(Hdf5Function.P_PEEK);
    MemorySegment memory = hdf5.scratch();
    long value = memory.address();
    memory.setString(VALUE_ROOM, PROPERTY);
    RawMemory.setLong(value, 0);
    if (evaluated) {
      long held = hdf5.call(Hdf5Function.I_OBJECT, list);
      hdf5.checked(Hdf5Function.P_PEEK, held, value + VALUE_ROOM, value);
    } else {
      hdf5.checked(Hdf5Function.P_GET, list, value + VALUE_ROOM, value);
    }
    long expression = RawMemory.getLong(value);
    if (expression == 0) {
      return null;
    }
    if (!evaluated) {
      throw new UnsupportedFeatureException(
          "data transform (H5Pset_data_transform): actual=set, expected=none, because this libhdf5"
              + " does not export H5Z_xform_eval; compute in the program, before it writes and"
              + " after it reads");
    }
    boolean changesNothing = (byte) hdf5.call(Hdf5Function.Z_NO_TRANSFORM, expression) != 0;
    return changesNothing ? null : new DataTransform(hdf5, expression);
  }

  /**
   * Takes memory for elements that {@link #apply} can be called with; the caller closes it.
   *
   * @param pool the pool from which it is taken; the memory has the content of earlier use
   * @param type the type of the elements in the program's memory
   * @param count the number of elements
   */
  public static Lease room(BufferPool pool, Datatype type, long count) {
    if (!CElements.sameInC(type)) {
      throw new InvalidUseException(
          "data transform: actual=of elements of the type "
              + type.describe()
              + ", expected=of integers or floating-point numbers of C");
    }
    return pool.take(Math.max(1, Math.multiplyExact(count, (long) type.size())));
  }

  /**
   * Replaces elements by the values of the expression.
   *
   * @param typeId the identifier of their type
   * @param elements the elements, in memory from {@link #room}
   * @param count the number of elements
   */
  public void apply(long typeId, DataBuffer elements, long count) {
    long type = hdf5.call(Hdf5Function.I_OBJECT, typeId);
    if (count > 0
        && hdf5.status(
                Hdf5Function.Z_TRANSFORM, expression, elements.elements().address(), count, type)
            < 0) {
      throw new InvalidUseException(
          "data transform (H5Pset_data_transform): actual=failed, expected=elements of a native"
              + " integer or floating-point type in memory");
    }
  }
}
