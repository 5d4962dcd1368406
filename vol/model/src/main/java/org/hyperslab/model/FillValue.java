package org.hyperslab.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.format.type.value.JavaTypes;

/** The value that an element has before it is written. */
public sealed interface FillValue {

  /** Zeros, the default of the library. */
  record Default() implements FillValue {}

  /** No fill value: unwritten elements are unspecified (zeros in this implementation). */
  record Undefined() implements FillValue {}

  /**
   * A value given by the user.
   *
   * @param type the type of the value, in memory form
   * @param value one element of that type
   */
  record Value(Datatype type, DataBuffer value) implements FillValue {}

  /**
   * {@return a Java value as fill value: a number, boolean, String, enum constant, record, complex
   * number, or an array for elements that are opaque bytes, arrays or sequences} It is converted to
   * the dataset's type when the dataset is created, as {@code Dataset.write} of the public API
   * converts elements; a value that the type cannot represent is an error then.
   *
   * @param value the Java value
   * @throws InvalidUseException if it is null, or its class has no datatype
   */
  static FillValue of(Object value) {
    if (value instanceof FillValue already) {
      return already;
    }
    if (value == null) {
      throw new InvalidUseException(
          "fill value: actual=null, expected=a Java value; pass a FillValue.Default for zeros, or a"
              + " FillValue.Undefined for none");
    }
    Datatype type = typeOf(value);
    DataBuffer element = DataBuffer.allocate(type, 1);
    ElementCodec.of(type.inMemory()).encode(value, element.elements(), 0, element.heap());
    return new Value(type, element);
  }

  /** Returns a type that has the value; the dataset's own is not known here. */
  private static Datatype typeOf(Object value) {
    if (value instanceof BigInteger whole && whole.signum() < 0) {
      return Datatypes.NATIVE_LONG;
    }
    if (value instanceof BigDecimal) {
      return Datatypes.NATIVE_DOUBLE;
    }
    if (value instanceof String text) {
      int bytes = Math.max(1, NameBytes.encode(text).length);
      return new StringType(bytes, StringPadding.NULLPAD, CharacterSet.UTF8);
    }
    if (value instanceof byte[] bytes && bytes.length > 0) {
      return new OpaqueType(bytes.length, "");
    }
    Datatype type = JavaTypes.typeOf(value.getClass());
    for (Class<?> c = value.getClass(); c.isArray(); c = c.getComponentType()) {
      type = Datatypes.vlen(type);
    }
    return type.inMemory();
  }

  /** When fill values are written to newly allocated storage. */
  enum Time {
    /** When storage is allocated. */
    ON_ALLOCATION,
    /** Fill values are never written. */
    NEVER,
    /** When storage is allocated, if the user gave a value. */
    IF_SET
  }
}
