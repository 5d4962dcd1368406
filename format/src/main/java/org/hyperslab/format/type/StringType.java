package org.hyperslab.format.type;

import org.hyperslab.error.InvalidUseException;

/**
 * A string of fixed size (class 3).
 *
 * @param size the size in bytes, including the terminator of a NULLTERM string
 * @param padding the bytes after the characters
 * @param charset the encoding of the characters
 */
public record StringType(int size, StringPadding padding, CharacterSet charset)
    implements Datatype {

  /** Requires a valid size. */
  public StringType {
    TypeChecks.positiveSize("string", size);
    TypeChecks.present("string padding", padding);
    TypeChecks.present("string character set", charset);
  }

  /**
   * Refuses text that contains a NUL: a NUL ends a string in a file, so the rest would be lost.
   *
   * @param text the text
   * @throws InvalidUseException if it contains one
   */
  public static void requireNoNul(String text) {
    int at = text.indexOf('\0');
    if (at >= 0) {
      throw new InvalidUseException(
          "string: actual=a NUL at character "
              + at
              + " of "
              + text.length()
              + ", expected=no NUL, because it would end the string; store "
              + "bytes as integers or as an"
              + " opaque type");
    }
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

  /** Returns the description, which is complete. */
  @Override
  public String toString() {
    return describe();
  }
}
