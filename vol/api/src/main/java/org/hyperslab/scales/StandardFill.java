package org.hyperslab.scales;

import java.math.BigInteger;
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
final class StandardFill {

  /** NC_FILL_FLOAT and NC_FILL_DOUBLE, near 15 times 2 to the power of 119. */
  private static final float FLOAT = 0x1.ep122f;

  private StandardFill() {}

  /** Returns the fill value of a type; zeros for types that netCDF has no value for. */
  static FillValue.Value of(Datatype type) {
    Object value =
        switch (type) {
          case FloatType number when number.size() == 4 -> FLOAT;
          case FloatType number when number.size() > 4 -> (double) FLOAT;
          case IntegerType number when isOfNetcdf(number) -> ofInteger(number);
          case StringType _, VlenStringType _ -> "";
          default -> null;
        };
    Datatype memory = type.inMemory();
    DataBuffer element = DataBuffer.allocate(memory, 1);
    if (value != null) {
      ElementCodec.of(memory).encode(value, element.elements(), 0, element.heap());
    }
    return new FillValue.Value(type, element);
  }

  private static boolean isOfNetcdf(IntegerType type) {
    return type.fillsElement() && type.size() <= 8 && Integer.bitCount(type.size()) == 1;
  }

  private static Object ofInteger(IntegerType type) {
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
