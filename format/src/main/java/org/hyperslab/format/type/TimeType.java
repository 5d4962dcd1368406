package org.hyperslab.format.type;

/**
 * A time (class 2): seconds since 1970 by convention (H5T_UNIX_D32LE and kin). HDF5 stores it but
 * does not convert it.
 *
 * @param size bytes
 * @param order LITTLE or BIG
 * @param precision significant bits
 */
public record TimeType(int size, Endian order, int precision) implements Datatype {

  /** Checks that the bits fit. */
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
}
