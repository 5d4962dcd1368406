package org.hyperslab.format.type;

/**
 * A string of any length, kept in a heap (class 9, type 1).
 *
 * @param size bytes in this form of the type; the characters are elsewhere
 * @param padding how the end is marked; NULLTERM but for odd files
 * @param charset how the bytes are characters
 * @param base the type of one byte, as the message states it; the C library says unsigned 8-bit
 */
public record VlenStringType(int size, StringPadding padding, CharacterSet charset, Datatype base)
    implements Datatype {

  /** Checks the parts. */
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
}
