package org.hyperslab.netcdf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.model.FillValue;
import org.hyperslab.scales.ScaleConventions;
import org.jspecify.annotations.Nullable;

/** Converts fill values that users give, and knows the default ones as numbers. */
final class GivenFill {

  private GivenFill() {}

  /** Returns a fill value given by the user. */
  static FillValue.Value of(Datatype type, Object value) {
    Datatype memory = type.inMemory();
    DataBuffer element = DataBuffer.allocate(memory, 1);
    if (NetcdfTypes.isChar(type)) {
      element.elements().set(ValueLayout.JAVA_BYTE, 0, character(value));
    } else {
      ElementCodec.of(memory).encode(value, element.elements(), 0, element.heap());
    }
    return new FillValue.Value(type, element);
  }

  /** A character is one byte, which a type whose strings end with NUL has no room for. */
  private static byte character(Object value) {
    byte[] bytes =
        switch (value) {
          case String text -> NameBytes.encode(text);
          case Character one when one < 256 -> new byte[] {(byte) one.charValue()};
          case Byte one -> new byte[] {one};
          default -> null;
        };
    if (bytes == null || bytes.length > 1) {
      throw new InvalidUseException(
          "fill value of NC_CHAR: actual="
              + (value instanceof CharSequence ? "\"" + value + "\"" : value)
              + ", expected=one byte: a String of one ASCII character or none, a char or a byte");
    }
    return bytes.length == 0 ? 0 : bytes[0];
  }

  /** Returns the default fill value of a type of numbers; null for other types. */
  static @Nullable Number defaultNumber(Datatype type) {
    if (!(type instanceof FloatType || type instanceof IntegerType)) {
      return null;
    }
    MemorySegment element = ScaleConventions.standardFill(type).value().elements();
    return (Number) ElementCodec.of(type).decode(element, 0, VlenHeap.none());
  }
}
