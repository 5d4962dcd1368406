package org.hyperslab.model;

import java.util.Objects;

/**
 * A strategy for managing file space (specification: File Space Info message).
 *
 * @param kind the strategy
 * @param persist whether free space is recorded in the file when it is closed
 * @param thresholdBytes free sections below this size are not tracked
 * @param pageBytes the page size of {@link Kind#PAGE}
 */
public record SpaceStrategy(Kind kind, boolean persist, long thresholdBytes, long pageBytes) {

  /** The default: free space is tracked while the file is open and not recorded. */
  public static final SpaceStrategy DEFAULT = new SpaceStrategy(Kind.FREE_SPACE, false, 1, 4096);

  /** The strategies of HDF5 1.10. */
  public enum Kind {
    /** Free-space managers and aggregation. */
    FREE_SPACE,
    /** Free-space managers and pages. */
    PAGE,
    /** Aggregation of small allocations only. */
    AGGREGATION,
    /** Always at the end of the file. */
    NONE
  }

  /** Written by hand, as {@link #toString}. */
  @Override
  public boolean equals(Object other) {
    return other instanceof SpaceStrategy that
        && kind == that.kind
        && persist == that.persist
        && thresholdBytes == that.thresholdBytes
        && pageBytes == that.pageBytes;
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, persist, thresholdBytes, pageBytes);
  }
}
