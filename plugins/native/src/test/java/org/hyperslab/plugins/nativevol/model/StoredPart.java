package org.hyperslab.plugins.nativevol.model;

/** A part of the file that storage keeps or loses as a whole, but for {@link #JOURNAL}. */
enum StoredPart {
  /** Elements, which are overwritten at any time. */
  RAW,
  /** A block in space that the state before the flush does not use. */
  NEW,
  /** A block of the state before the flush that is overwritten. */
  OLD,
  /** The journal, of several sectors: it may be torn. */
  JOURNAL,
  /** The superblock, which is no longer than a sector; or the marker over it. */
  SUPERBLOCK
}
