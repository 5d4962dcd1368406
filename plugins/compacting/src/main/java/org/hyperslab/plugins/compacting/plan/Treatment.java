package org.hyperslab.plugins.compacting.plan;

/** How a request was handled, and why. */
public enum Treatment {
  /** Carried out in one request together with others of disjoint regions. */
  MERGED,
  /** A write that overlaps earlier writes of its client and was folded with them. */
  MORPHED,
  /** A write of which nothing was left to write, because later ones of its client cover it. */
  COVERED,
  /** A read answered entirely from writes that came before it. */
  STOLEN,
  /** A read answered in part from writes that came before it; the rest was read. */
  PARTLY_STOLEN,
  /** Carried out as it came: there was nothing to merge it with. */
  ALONE,
  /** Carried out as it came: merging a request of this size would cost more than it saves. */
  LARGE,
  /** Carried out as it came, after another client's write that it overlaps. */
  AFTER_OTHER_CLIENT,
  /** Carried out as it came, because of its type or the shape of its region. */
  UNLIKE,
  /** It selects no elements. */
  EMPTY,
  /** Carried out by itself because the merged request that it was part of failed. */
  RETRIED_ALONE,
  /** It was small and conflicted with nothing, so it did not wait for the batch under way. */
  PASSED_BY,
  /** An ordered operation, carried out in its place. */
  ORDERED,
  /** Merging is turned off. */
  OFF,
  /** Refused because the queue was full. */
  REJECTED
}
