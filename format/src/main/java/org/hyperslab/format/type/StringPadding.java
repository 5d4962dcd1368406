package org.hyperslab.format.type;

import java.util.Optional;

/** The bytes that follow the characters of a string. */
public enum StringPadding {
  /** A NUL ends the string; the bytes after it have no meaning. */
  NULLTERM(0),
  /** NULs fill the remaining bytes; a string that fills its field has none. */
  NULLPAD(1),
  /** Spaces fill the remaining bytes, as in Fortran. */
  SPACEPAD(2);

  private static final StringPadding[] ALL = values();

  private final int code;

  StringPadding(int code) {
    this.code = code;
  }

  /** Returns the code in a datatype message. */
  int code() {
    return code;
  }

  /** Returns the constant with a code. */
  static Optional<StringPadding> ofCode(int code) {
    for (StringPadding one : ALL) { // no stream: called for most types that are decoded
      if (one.code == code) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }
}
