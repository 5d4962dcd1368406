package org.hyperslab.format.type.value;

/**
 * What becomes of a number that has no place where it goes: an integer type without that value, NaN
 * or an infinity as an integer, a finite number too great for a float type. Numbers never wrap.
 */
public enum OutOfRange {
  /** It is an {@link org.hyperslab.error.InvalidUseException} that names value and range. */
  REFUSE,
  /**
   * It becomes the nearest number that there is, or infinite in a float type, as in the C library.
   */
  CLAMP
}
