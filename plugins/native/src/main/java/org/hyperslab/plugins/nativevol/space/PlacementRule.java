package org.hyperslab.plugins.nativevol.space;

/**
 * The addresses at which an allocation may be placed.
 *
 * @param alignment the address is a multiple of this, at least 1
 * @param boundary an allocation that is not longer than this crosses no multiple of it; 0 for no
 *     such rule
 */
record PlacementRule(long alignment, long boundary) {

  /** Permits any address. */
  static final PlacementRule ANYWHERE = new PlacementRule(1, 0);

  /** Returns the first permitted address at or after {@code start} for {@code size} bytes. */
  long place(long start, long size) {
    long at = Math.ceilDiv(start, alignment) * alignment;
    if (boundary > 0 && size <= boundary && at / boundary != (at + size - 1) / boundary) {
      return Math.ceilDiv(at, boundary) * boundary;
    }
    return at;
  }
}
