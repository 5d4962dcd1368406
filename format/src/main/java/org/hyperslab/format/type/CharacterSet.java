package org.hyperslab.format.type;

/** How the bytes of a string are characters; the ordinal is the encoded value. */
public enum CharacterSet {
  /** US-ASCII. Many files hold Latin-1 or UTF-8 under this name all the same. */
  ASCII,
  /** UTF-8. */
  UTF8
}
