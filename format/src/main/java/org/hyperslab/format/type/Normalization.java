package org.hyperslab.format.type;

/** How the leading bit of a floating-point mantissa is stored; the ordinal is the encoded value. */
public enum Normalization {
  /** The mantissa is not normalised; every bit is stored. */
  NONE,
  /** The most significant bit of the mantissa is stored and always set, but for zero. */
  MSB_SET,
  /** The most significant bit is one and not stored, as in IEEE 754. */
  IMPLIED
}
