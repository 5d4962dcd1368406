package org.hyperslab.plugins.nativevol.space;

import org.hyperslab.format.metadata.SpaceKind;

/**
 * The rules for placing allocations: alignment that the user requests, and pages, if the file has
 * them (specification: File Space Info message, strategy PAGE). In a paged file, an allocation
 * smaller than a page does not cross into the next page, a larger one starts a page, and no page
 * holds both metadata and raw data.
 *
 * @param alignment the address of an allocation of {@code alignmentThreshold} bytes or more is a
 *     multiple of this
 * @param alignmentThreshold see {@code alignment}
 * @param pageBytes the page size; 0 if the file has no pages
 * @param metadataBlockBytes the bytes of file space that are set aside for metadata at a time; 0 to
 *     choose by the file's growth
 */
public record SpacePolicy(
    long alignment, long alignmentThreshold, long pageBytes, long metadataBlockBytes) {

  /** The default policy: no alignment and no pages. */
  public static final SpacePolicy DEFAULT = new SpacePolicy(1, Long.MAX_VALUE, 0, 0);

  private static final long LARGE_BYTES = 64 << 10;

  /** Returns this policy with pages of another size. */
  SpacePolicy withPageBytes(long newPageBytes) {
    return new SpacePolicy(alignment, alignmentThreshold, newPageBytes, metadataBlockBytes);
  }

  /** Returns whether the file has pages. */
  boolean paged() {
    return pageBytes > 0;
  }

  /** Returns the placement of an allocation. */
  PlacementRule placement(SpaceKind kind, long size) {
    if (paged()) {
      return size >= pageBytes ? new PlacementRule(pageBytes, 0) : new PlacementRule(1, pageBytes);
    }
    boolean aligned = size >= alignmentThreshold && kind == SpaceKind.RAW_DATA;
    return aligned ? new PlacementRule(alignment, 0) : PlacementRule.ANYWHERE;
  }

  /** Returns the placement of a block that is set aside. */
  PlacementRule blockPlacement() {
    return paged() ? new PlacementRule(pageBytes, 0) : PlacementRule.ANYWHERE;
  }

  /**
   * Returns the size in bytes from which allocations do not come from a block that was set aside.
   */
  long largeBytes() {
    return paged() ? pageBytes : Math.min(LARGE_BYTES, alignmentThreshold);
  }

  /** Returns the size of a block to set aside, given the preferred and the least useful size. */
  long blockBytes(SpaceKind kind, long wished, long least) {
    if (paged()) {
      return pageBytes;
    }
    boolean stated = metadataBlockBytes > 0 && kind != SpaceKind.RAW_DATA;
    return stated ? Math.max(metadataBlockBytes, least) : wished;
  }

  /** Returns the number of bytes to take from the end of the file for a large allocation. */
  long roundUp(long size) {
    return paged() ? Math.ceilDiv(size, pageBytes) * pageBytes : size;
  }

  /** Returns the lowest permitted end of the file at or after {@code end}. */
  long roundUpEnd(long end) {
    return roundUp(end);
  }
}
