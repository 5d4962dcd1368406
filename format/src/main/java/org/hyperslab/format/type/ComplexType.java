package org.hyperslab.format.type;

import org.hyperslab.error.InvalidUseException;

/**
 * A complex number in rectangular form, real part first (class 11, since HDF5 2.0).
 *
 * @param base the type of both parts
 */
public record ComplexType(FloatType base) implements Datatype {

  /** Checks the size. */
  public ComplexType {
    TypeChecks.present("complex base", base);
    if (base.size() > Integer.MAX_VALUE / 2) {
      throw new InvalidUseException("complex base size: actual=" + base.size() + ", too large");
    }
  }

  @Override
  public int size() {
    return 2 * base.size();
  }

  @Override
  public int classNumber() {
    return 11;
  }

  @Override
  public boolean hasOutOfLineParts() {
    return false;
  }

  @Override
  public String describe() {
    return "complex{" + base.describe() + "}";
  }

  /**
   * Returns the description, followed by what it omits where that is unusual: equal texts are those
   * of equal types.
   */
  @Override
  public String toString() {
    return "complex{" + base + "}";
  }
}
