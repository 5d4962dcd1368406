package org.hyperslab.plugins.compacting.plan;

import java.util.List;

/**
 * A record of the treatment of one request.
 *
 * @param origin the sender and number of the request
 * @param treatment the treatment of the request
 * @param partners the other requests involved: those that it was merged or folded with, took
 *     elements from or had to follow; at most {@value #MAX_PARTNERS} are listed
 */
public record Trace(Origin origin, Treatment treatment, List<Origin> partners) {
  /** The largest number of partners that a trace lists. */
  public static final int MAX_PARTNERS = 16;
}
