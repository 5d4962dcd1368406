package org.hyperslab.format.type.value;

/**
 * A complex number.
 *
 * @param real its real part
 * @param imaginary its imaginary part
 */
public record Complex(double real, double imaginary) {}
