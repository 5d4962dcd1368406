package org.hyperslab.format.type.value;

/**
 * A complex number.
 *
 * @param real its real part
 * @param imaginary its imaginary part
 */
public record Complex(double real, double imaginary) {

  /** Returns the parts by the names that h5py gives them in a compound: r and i. */
  java.util.Map<String, Object> toMap() {
    return java.util.Map.of("r", real, "i", imaginary);
  }
}
