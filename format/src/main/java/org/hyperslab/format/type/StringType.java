package org.hyperslab.format.type;

/**
 * A string of fixed size (class 3).
 *
 * @param size bytes, including the terminator of a NULLTERM string
 * @param padding what stands behind the characters
 * @param charset how the bytes are characters
 */
public record StringType(int size, StringPadding padding, CharacterSet charset)
    implements Datatype {

  /** Checks the size. */
  public StringType {
    TypeChecks.positiveSize("string", size);
    TypeChecks.present("string padding", padding);
    TypeChecks.present("string character set", charset);
  }

  @Override
  public int classNumber() {
    return 3;
  }

  @Override
  public boolean hasOutOfLineParts() {
    return false;
  }

  @Override
  public String describe() {
    return "string[" + size + ", " + padding + ", " + charset + "]";
  }

  /** Written out: a record's own makes classes at run time, which ranks that start wait for. */
  @Override
  public String toString() {
    return "StringType[size=" + size + ", padding=" + padding + ", charset=" + charset + "]";
  }
}
