package org.hyperslab.format.type.value;

/**
 * The treatment of a number that is out of range of its destination: an integer type without that
 * value, NaN or an infinity as an integer, a finite number too great for a float type. Numbers
 * never wrap.
 */
public enum OutOfRange {
  /**
   * Throw an {@link org.hyperslab.error.InvalidUseException} that names the value and the range.
   */
  REFUSE,
  /** Store the nearest number in range, or infinity in a float type, as the C library does. */
  CLAMP
}
