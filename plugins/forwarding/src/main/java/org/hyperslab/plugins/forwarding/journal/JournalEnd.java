package org.hyperslab.plugins.forwarding.journal;

/**
 * The way in which reading a journal has ended.
 *
 * @param records the number of intact records
 * @param at the offset behind the last intact record before the first damaged one
 * @param promised the length up to which the journal was on storage when a record was last
 *     acknowledged. What lies behind it was promised to nobody: a crash may have torn it
 * @param skipped the number of damaged parts that were skipped
 */
record JournalEnd(long records, long at, long promised, int skipped) {

  /** {@return whether bytes have changed in what was promised} */
  boolean isDamaged() {
    return at < promised;
  }

  @Override
  public String toString() {
    return "damaged at byte "
        + at
        + " of "
        + promised
        + " that were promised, after "
        + records
        + " intact records";
  }
}
