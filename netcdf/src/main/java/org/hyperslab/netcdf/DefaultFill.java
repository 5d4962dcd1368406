package org.hyperslab.netcdf;

import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.model.FillValue;

/**
 * Provides the values that netCDF gives to elements that were never written.
 *
 * <p>Source: include/netcdf.h (NC_FILL_BYTE and its like).
 */
final class DefaultFill {

  /** NC_FILL_FLOAT and NC_FILL_DOUBLE, near 15 times 2 to the power of 119. */
  private static final float FLOAT = 0x1.ep122f;

  private DefaultFill() {}

  /** Returns the fill value of a type; zeros for user types, as in netCDF-C. */
  static FillValue of(Datatype type) {
    Object value =
        switch (type) {
          case FloatType _, IntegerType _ -> number(type);
          case StringType _, VlenStringType _ -> "";
          default -> null;
        };
    return value == null
        ? new FillValue.Value(type, DataBuffer.allocate(type.inMemory(), 1))
        : of(type, value);
  }

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
  static Number number(Datatype type) {
    return switch (type) {
      case FloatType number -> number.size() == 4 ? (Number) FLOAT : (Number) (double) FLOAT;
      case IntegerType number -> ofInteger(number);
      default -> null;
    };
  }

  private static Number ofInteger(IntegerType type) {
    if (!type.signed()) {
      return switch (type.size()) {
        case 1 -> 255;
        case 2 -> 65_535;
        case 4 -> 4_294_967_295L;
        default -> new BigInteger("18446744073709551614");
      };
    }
    return switch (type.size()) {
      case 1 -> -127;
      case 2 -> -32_767;
      case 4 -> -2_147_483_647;
      default -> -9_223_372_036_854_775_806L;
    };
  }
}
