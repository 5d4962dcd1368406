package org.hyperslab.format.type;

/**
 * A sequence of any number of elements of one type, kept in a heap (class 9).
 *
 * @param size bytes in this form of the type; the elements are elsewhere
 * @param base the type of one element of the sequence, in the same form
 */
public record VlenType(int size, Datatype base) implements Datatype {

  /** Checks the parts. */
  public VlenType {
    TypeChecks.positiveSize("variable-length sequence", size);
    TypeChecks.present("variable-length sequence base", base);
  }

  @Override
  public int classNumber() {
    return 9;
  }

  @Override
  public boolean hasOutOfLineParts() {
    return true;
  }

  @Override
  public String describe() {
    return "vlen{" + base.describe() + "}";
  }
}
