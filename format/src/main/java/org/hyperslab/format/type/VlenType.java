package org.hyperslab.format.type;

/**
 * A sequence of any number of elements of one type, kept in a heap (class 9).
 *
 * @param size bytes in this form of the type; the elements are elsewhere
 * @param base the type of one element of the sequence, in the same form
 */
public record VlenType(int size, Datatype base) implements Datatype {

  /** Bytes of a revised reference in the memory of the HDF5 library (H5R_ref_t). */
  private static final int LIBRARY_REFERENCE_BYTES = 64;

  /** Bytes of a revised reference in files with addresses of eight bytes. */
  private static final int STORED_REFERENCE_BYTES = 18;

  /** Checks the parts. */
  public VlenType {
    TypeChecks.positiveSize("variable-length sequence", size);
    TypeChecks.present("variable-length sequence base", base);
  }

  /**
   * Returns the base as its elements stand in a sequence, one behind the other from the beginning.
   *
   * <p>It is the base itself, but for revised references that HDF5 has stored: from 1.12 to 2.2 it
   * says of them the size that they have in its memory, and gives each element of a sequence as
   * many bytes, but stores the elements in their size in files. What is left is at the end.
   *
   * @return the base, of the size by which elements follow each other
   */
  public Datatype packedBase() {
    return base instanceof ReferenceType reference
            && reference.kind().revised()
            && reference.size() == LIBRARY_REFERENCE_BYTES
        ? new ReferenceType(STORED_REFERENCE_BYTES, reference.kind())
        : base;
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
