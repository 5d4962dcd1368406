package org.hyperslab.plugins.compacting;

/** What became of a request, and why. */
public enum Treatment {
  /** Carried out in one request with others of disjoint regions. */
  MERGED,
  /** A write that overlaps earlier ones of its client, folded with them. */
  MORPHED,
  /** A write of which nothing was left to write, for later ones of its client cover it. */
  COVERED,
  /** A read answered wholly from writes that came before it. */
  STOLEN,
  /** A read answered in part from writes that came before it; the rest was read. */
  PARTLY_STOLEN,
  /** Left as it came: nothing else was there to merge it with. */
  ALONE,
  /** Left as it came: so large that merging would cost more than it saves. */
  LARGE,
  /** Left as it came, after another client's write that it overlaps. */
  AFTER_OTHER_CLIENT,
  /** Left as it came, because of the types or kinds of region in its batch. */
  UNLIKE,
  /** It selects nothing. */
  EMPTY,
  /** Carried out by itself because the merged request that it was part of failed. */
  RETRIED_ALONE,
  /** Small and in nobody's way, it did not wait for the large batch under way. */
  PASSED_BY,
  /** An ordered operation, in its place. */
  ORDERED,
  /** The compactor is off. */
  OFF,
  /** Refused, for the queue was full. */
  REJECTED
}
