package org.hyperslab.format.type;

/**
 * A reference to an object, a part of a dataset, or an attribute (class 7).
 *
 * @param size the size of an element in this form of the type in bytes
 * @param kind the kind of target and the stored form
 */
public record ReferenceType(int size, ReferenceKind kind) implements Datatype {

  /** Requires a valid size. */
  public ReferenceType {
    TypeChecks.positiveSize("reference", size);
    TypeChecks.present("reference kind", kind);
  }

  @Override
  public int classNumber() {
    return 7;
  }

  @Override
  public boolean hasOutOfLineParts() {
    return kind.outOfLine();
  }

  @Override
  public String describe() {
    return "reference[" + kind + "]";
  }

  /** Returns the description and the size in bytes. */
  @Override
  public String toString() {
    return "reference[" + kind + ", " + size + "]";
  }
}
