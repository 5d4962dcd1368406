package org.hyperslab.mpiio.plan;

/**
 * The range of the file that each rank accesses, in arrays so that very many ranges are searched
 * fast.
 *
 * @param first the offset of each rank's first byte
 * @param endExclusive the offset after each rank's last byte; 0 if it has none
 */
record AccessRanges(long[] first, long[] endExclusive) {

  static AccessRanges of(AccessSummary[] summaries) {
    long[] first = new long[summaries.length];
    long[] end = new long[summaries.length];
    for (int rank = 0; rank < summaries.length; rank++) {
      first[rank] = summaries[rank].first();
      end[rank] = summaries[rank].endExclusive();
    }
    return new AccessRanges(first, end);
  }

  int ranks() {
    return first.length;
  }

  /** Returns whether a rank's range has a byte in {@code from .. toExclusive}. */
  boolean meets(int rank, long from, long toExclusive) {
    return first[rank] < toExclusive && endExclusive[rank] > from;
  }
}
