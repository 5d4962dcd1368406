package org.hyperslab.format.type;

/** What fills the bits of an element that its precision and offset leave unused. */
public enum BitPadding {
  /** Zero bits. */
  ZERO,
  /** One bits. */
  ONE
}
