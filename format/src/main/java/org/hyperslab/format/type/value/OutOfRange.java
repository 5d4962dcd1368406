package org.hyperslab.format.type.value;

/**
 * The treatment of a number that is out of range of its destination. Out of range are a value that
 * an integer type does not have, NaN or an infinity for an integer type, and a finite number too
 * large for a float type. Numbers never wrap.
 */
public enum OutOfRange {
  /**
   * Throw an {@link org.hyperslab.error.InvalidUseException} that names the value and the range.
   */
  REFUSE,
  /** Store the nearest number in range, or infinity in a float type, as the C library does. */
  CLAMP
}
