package org.hyperslab.format.type.value;

import java.util.Map;

/**
 * A complex number.
 *
 * @param real the real part
 * @param imaginary the imaginary part
 */
public record Complex(double real, double imaginary) {

  /** Returns the parts with their names in h5py's compound: r and i. */
  Map<String, Object> toMap() {
    return Map.of("r", real, "i", imaginary);
  }
}
