package org.hyperslab.format.type;

import java.util.Arrays;
import java.util.Optional;

/** The encoding of characters in a string. */
public enum CharacterSet {
  /** US-ASCII. Many files nevertheless store Latin-1 or UTF-8 under this name. */
  ASCII(0),
  /** UTF-8. */
  UTF8(1);

  private final int code;

  CharacterSet(int code) {
    this.code = code;
  }

  /** Returns the code in a datatype message. */
  int code() {
    return code;
  }

  /** Returns the constant with a code. */
  static Optional<CharacterSet> ofCode(int code) {
    return Arrays.stream(values()).filter(one -> one.code == code).findFirst();
  }
}
