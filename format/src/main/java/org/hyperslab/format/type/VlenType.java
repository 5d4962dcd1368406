package org.hyperslab.format.type;

/**
 * A sequence of any number of elements of one type, stored in a heap (class 9).
 *
 * @param size the size of an element in this form of the type in bytes; the sequence is elsewhere
 * @param base the type of one element of the sequence, in the same form
 */
public record VlenType(int size, Datatype base) implements Datatype {

  /** The size of a revised reference in the memory of the HDF5 library (H5R_ref_t), in bytes. */
  private static final int LIBRARY_REFERENCE_BYTES = 64;

  /** The size of a revised reference in files with addresses of eight bytes, in bytes. */
  private static final int STORED_REFERENCE_BYTES = 18;

  /** Requires valid parts. */
  public VlenType {
    TypeChecks.positiveSize("variable-length sequence", size);
    TypeChecks.present("variable-length sequence base", base);
  }

  /**
   * Returns the base with the size at which elements follow each other in a sequence.
   *
   * <p>This is the base itself, except for revised references stored by HDF5. HDF5 1.12 to 2.2
   * states their size in its memory as their size, and reserves that many bytes for each element of
   * a sequence, but stores the elements with their size in files, one after another; the remaining
   * bytes are at the end.
   *
   * @return the base, with the size at which elements follow each other
   */
  public Datatype packedBase() {
    return base instanceof ReferenceType reference
            && reference.kind().revised()
            && reference.size() == LIBRARY_REFERENCE_BYTES
        ? new ReferenceType(STORED_REFERENCE_BYTES, reference.kind())
        : base;
  }

  /**
   * Returns the base of a sequence with the size that files state. For a stored revised reference,
   * that is the size in the library, which otherwise takes it for one in its memory when it writes
   * elements of a committed type.
   *
   * @param base the base in the form of a file or of memory
   */
  static Datatype statedBase(Datatype base) {
    return base instanceof ReferenceType reference
            && reference.kind().revised()
            && reference.size() == STORED_REFERENCE_BYTES
        ? new ReferenceType(LIBRARY_REFERENCE_BYTES, reference.kind())
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

  /**
   * Returns the description, followed by what it omits where that is unusual: equal texts are those
   * of equal types.
   */
  @Override
  public String toString() {
    return "vlen{" + base + (size == VlenHeap.SLOT_BYTES ? "}" : "}/" + size);
  }
}
