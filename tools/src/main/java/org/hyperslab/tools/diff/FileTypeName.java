package org.hyperslab.tools.diff;

import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;

/** Provides the C library's names of numeric file types. */
final class FileTypeName {

  private FileTypeName() {}

  /** Returns the name, such as H5T_STD_I32LE; a description if there is none. */
  static String of(Datatype type) {
    return switch (type) {
      case IntegerType t
          when t.fillsElement() && t.size() <= 8 && Integer.bitCount(t.size()) == 1 ->
          "H5T_STD_" + (t.signed() ? "I" : "U") + 8 * t.size() + order(t.order());
      case FloatType t when t.order() != Endian.VAX && ieee(t) ->
          "H5T_IEEE_F" + 8 * t.size() + order(t.order());
      default -> type.describe();
    };
  }

  private static boolean ieee(FloatType t) {
    int exponent = t.size() == 4 ? 8 : t.size() == 8 ? 11 : t.size() == 2 ? 5 : 0;
    return exponent > 0 && t.equals(FloatType.ieee(t.size(), t.order(), exponent));
  }

  private static String order(Endian order) {
    return order == Endian.BIG ? "BE" : "LE";
  }
}
