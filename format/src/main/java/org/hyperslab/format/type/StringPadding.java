package org.hyperslab.format.type;

import java.util.Arrays;
import java.util.Optional;

/** The bytes that follow the characters of a string. */
public enum StringPadding {
  /** A NUL ends the string; the bytes after it have no meaning. */
  NULLTERM(0),
  /** NULs fill the rest; a string that fills its field has none. */
  NULLPAD(1),
  /** Spaces fill the rest, as Fortran does. */
  SPACEPAD(2);

  private final int code;

  StringPadding(int code) {
    this.code = code;
  }

  /** Returns the number in a datatype message. */
  int code() {
    return code;
  }

  /** Finds the constant with a number. */
  static Optional<StringPadding> ofCode(int code) {
    return Arrays.stream(values()).filter(one -> one.code == code).findFirst();
  }
}
