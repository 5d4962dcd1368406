package org.hyperslab.format.type;

import java.util.Optional;

/** The encoding of characters in a string. */
public enum CharacterSet {
  /**
   * US-ASCII, as files state it. Many files nevertheless store Latin-1 or UTF-8 under this name.
   */
  ASCII(0),
  /** Unicode encoded as UTF-8. */
  UTF8(1);

  private static final CharacterSet[] ALL = values();

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
    for (CharacterSet one : ALL) { // no stream: called for most types that are decoded
      if (one.code == code) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }
}
