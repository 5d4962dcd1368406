package org.hyperslab.model;

/** The character set of a link or attribute name. */
public enum CharacterSet {
  /** US-ASCII. */
  ASCII,
  /** UTF-8. */
  UTF8
}
