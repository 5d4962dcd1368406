package org.hyperslab.format.type;

/** The content of the bits of an element that its precision and offset leave unused. */
public enum BitPadding {
  /** The unused bits are zero. */
  ZERO,
  /** The unused bits are one. */
  ONE;

  /** Returns what a type's text adds about its unused bits; nothing if they are zeros. */
  static String text(BitPadding low, BitPadding high) {
    return low == ZERO && high == ZERO ? "" : "[padding " + low + ", " + high + "]";
  }
}
