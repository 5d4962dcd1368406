package org.hyperslab.format.type.value;

/**
 * A complex number.
 *
 * @param real the real part
 * @param imaginary the imaginary part
 */
public record Complex(double real, double imaginary) {

  /** Returns the parts with their names in h5py's compound: r and i. */
  java.util.Map<String, Object> toMap() {
    return java.util.Map.of("r", real, "i", imaginary);
  }
}
