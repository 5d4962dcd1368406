package org.hyperslab.format.type;

/** What stands behind the characters of a string; the ordinal is the encoded value. */
public enum StringPadding {
  /** A NUL ends the string; what follows it has no meaning. */
  NULLTERM,
  /** NULs fill the rest; a string that fills its field has none. */
  NULLPAD,
  /** Spaces fill the rest, as Fortran does. */
  SPACEPAD
}
