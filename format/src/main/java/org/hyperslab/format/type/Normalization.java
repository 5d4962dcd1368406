package org.hyperslab.format.type;

import java.util.Optional;

/** The way the leading bit of a floating-point mantissa is stored. */
public enum Normalization {
  /** The mantissa is not normalized; every bit is stored. */
  NONE(0),
  /** The most significant bit of the mantissa is stored and always set, except for zero. */
  MSB_SET(1),
  /** The most significant bit is one and not stored, as in IEEE 754. */
  IMPLIED(2);

  private static final Normalization[] ALL = values();

  private final int code;

  Normalization(int code) {
    this.code = code;
  }

  /** Returns the code in a datatype message. */
  int code() {
    return code;
  }

  /** Returns the constant with a code. */
  static Optional<Normalization> ofCode(int code) {
    for (Normalization one : ALL) { // no stream: called for most types that are decoded
      if (one.code == code) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }
}
