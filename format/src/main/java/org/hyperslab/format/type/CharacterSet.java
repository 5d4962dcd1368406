package org.hyperslab.format.type;

import java.util.Arrays;
import java.util.Optional;

/** How the bytes of a string are characters. */
public enum CharacterSet {
  /** US-ASCII. Many files hold Latin-1 or UTF-8 under this name all the same. */
  ASCII(0),
  /** UTF-8. */
  UTF8(1);

  private final int code;

  CharacterSet(int code) {
    this.code = code;
  }

  /** The number in a datatype message. */
  int code() {
    return code;
  }

  /** The one of that number, if there is one. */
  static Optional<CharacterSet> ofCode(int code) {
    return Arrays.stream(values()).filter(one -> one.code == code).findFirst();
  }
}
