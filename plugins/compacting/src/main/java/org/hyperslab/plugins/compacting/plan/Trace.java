package org.hyperslab.plugins.compacting.plan;

import java.util.List;

/**
 * A record of how one request was handled, and why.
 *
 * @param origin the request
 * @param treatment how it was handled
 * @param partners the other requests involved: those it was merged or folded with, took elements
 *     from or had to follow; at most {@value #MAX_PARTNERS} are listed
 */
public record Trace(Origin origin, Treatment treatment, List<Origin> partners) {
  /** The largest number of partners that a trace lists. */
  public static final int MAX_PARTNERS = 16;
}
