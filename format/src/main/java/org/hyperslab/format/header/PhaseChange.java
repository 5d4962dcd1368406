package org.hyperslab.format.header;

/**
 * The thresholds at which links or attributes move between compact storage, in the header, and
 * dense storage, in a fractal heap.
 *
 * @param maximumCompact the greatest number in compact storage, 0 to 65,535; one more makes them
 *     dense
 * @param minimumDense the least number in dense storage; one fewer makes them compact
 */
public record PhaseChange(int maximumCompact, int minimumDense) {

  /** The default for files that store none. */
  public static final PhaseChange DEFAULT = new PhaseChange(8, 6);

  /** Requires 0 ≤ minimumDense ≤ maximumCompact + 1 and values that fit in 16 bits. */
  public PhaseChange {
    if (minimumDense < 0 || maximumCompact > 65_535 || minimumDense > maximumCompact + 1) {
      throw new IllegalArgumentException(maximumCompact + "/" + minimumDense);
    }
  }
}
