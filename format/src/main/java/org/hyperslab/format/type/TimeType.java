package org.hyperslab.format.type;

/**
 * A time (class 2): by convention, seconds since 1970 (H5T_UNIX_D32LE and similar types). HDF5
 * stores it but does not convert it.
 *
 * @param size the size of an element in bytes
 * @param order the byte order, LITTLE or BIG
 * @param precision the number of significant bits
 */
public record TimeType(int size, Endian order, int precision) implements Datatype {

  /** Requires that the bits fit in the element. */
  public TimeType {
    TypeChecks.bits("time", size, precision, 0);
    TypeChecks.notVax("time", order);
  }

  @Override
  public int classNumber() {
    return 2;
  }

  @Override
  public boolean hasOutOfLineParts() {
    return false;
  }

  @Override
  public String describe() {
    return "time" + precision + (order == Endian.BIG ? "be" : "le");
  }

  /**
   * Returns the description, followed by what it omits where that is unusual: equal texts are those
   * of equal types.
   */
  @Override
  public String toString() {
    return precision == 8 * size ? describe() : describe() + "/" + 8 * size;
  }
}
