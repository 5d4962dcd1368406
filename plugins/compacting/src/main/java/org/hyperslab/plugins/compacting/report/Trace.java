package org.hyperslab.plugins.compacting.report;

import java.util.List;

/**
 * A record of the outcome of one request.
 *
 * @param origin the sender and number of the request
 * @param outcome the outcome of the request
 * @param partners the other requests involved: those that it was merged or folded with, took
 *     elements from or had to follow; at most {@value #MAX_PARTNERS} are listed
 */
public record Trace(RequestOrigin origin, RequestOutcome outcome, List<RequestOrigin> partners) {
  /** The largest number of partners that a trace lists. */
  public static final int MAX_PARTNERS = 16;
}
