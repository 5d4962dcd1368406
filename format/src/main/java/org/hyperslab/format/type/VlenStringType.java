package org.hyperslab.format.type;

/**
 * A string of any length, stored in a heap (class 9, type 1).
 *
 * @param size the size of an element in this form of the type in bytes; the characters are
 *     elsewhere
 * @param padding the marking of the end; NULLTERM except in unusual files
 * @param charset the encoding of the characters
 * @param base the type of one byte, as stated in the message; unsigned 8-bit in the C library
 */
public record VlenStringType(int size, StringPadding padding, CharacterSet charset, Datatype base)
    implements Datatype {

  /** Requires valid parts. */
  public VlenStringType {
    TypeChecks.positiveSize("variable-length string", size);
    TypeChecks.present("variable-length string padding", padding);
    TypeChecks.present("variable-length string character set", charset);
    TypeChecks.present("variable-length string base", base);
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
    return "string[variable, " + padding + ", " + charset + "]";
  }

  /**
   * Returns the description, followed by what it omits where that is unusual: equal texts are those
   * of equal types.
   */
  @Override
  public String toString() {
    boolean usual = size == VlenHeap.SLOT_BYTES && base.equals(Datatypes.U8LE);
    return usual ? describe() : describe() + "/" + size + "{" + base + "}";
  }
}
