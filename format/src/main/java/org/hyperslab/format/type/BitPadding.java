package org.hyperslab.format.type;

/** The content of the bits of an element that its precision and offset leave unused. */
public enum BitPadding {
  /** Zero bits. */
  ZERO,
  /** One bits. */
  ONE
}
