package org.hyperslab.format.type;

import org.hyperslab.error.InvalidUseException;

/** Checks arguments for the constructors of this package, with consistent messages. */
final class TypeChecks {

  private TypeChecks() {}

  static void positiveSize(String what, int size) {
    if (size < 1) {
      throw new InvalidUseException(what + " size: actual=" + size + ", expected>=1");
    }
  }

  static void bits(String what, int size, int precision, int offset) {
    positiveSize(what, size);
    if (precision < 1 || offset < 0 || (long) precision + offset > 8L * size) {
      throw new InvalidUseException(
          what
              + " bits: actual precision="
              + precision
              + " offset="
              + offset
              + ", expected precision>=1 and precision+offset<="
              + 8L * size);
    }
  }

  static void present(String what, Object value) {
    if (value == null) {
      throw new InvalidUseException(what + ": actual=null, expected=a value");
    }
  }

  static void notVax(String what, Endian order) {
    present(what + " order", order);
    if (order == Endian.VAX) {
      throw new InvalidUseException(what + " order: actual=VAX, expected=LITTLE or BIG");
    }
  }
}
