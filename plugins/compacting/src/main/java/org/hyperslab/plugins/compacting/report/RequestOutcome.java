package org.hyperslab.plugins.compacting.report;

/** The way in which a request was handled, and why. */
public enum RequestOutcome {
  /** Carried out in one request together with others of disjoint regions. */
  MERGED,
  /** A write that overlaps earlier writes of its client and was folded with them. */
  MORPHED,
  /** A write that was omitted because later writes of its client cover it. */
  COVERED,
  /** A read answered entirely from writes that came before it. */
  STOLEN,
  /** A read answered in part from writes that came before it; the rest was read. */
  PARTLY_STOLEN,
  /** Carried out unchanged: there was no other request to merge it with. */
  ALONE,
  /** Carried out unchanged: merging a request of this size would cost more than it saves. */
  LARGE,
  /** Carried out unchanged, after another client's write that it overlaps. */
  AFTER_OTHER_CLIENT,
  /** Carried out unchanged, because of its type or the shape of its region. */
  UNLIKE,
  /** A request that selects no elements. */
  EMPTY,
  /** Carried out alone because the merged request that it was part of failed. */
  RETRIED_ALONE,
  /** A small request without conflicts, which did not wait for the batch under way. */
  PASSED_BY,
  /** An ordered operation, carried out in its place. */
  ORDERED,
  /** Carried out unchanged: merging is disabled. */
  OFF,
  /** Refused because the queue was full. */
  REJECTED
}
