package org.hyperslab.plugins.compacting;

import java.util.List;

/**
 * What became of one request, and why.
 *
 * @param origin the request
 * @param treatment what became of it
 * @param partners the requests concerned: those it was merged or folded with, stole from or had to
 *     follow; no more than 16 are listed
 */
public record Trace(Origin origin, Treatment treatment, List<Origin> partners) {
  /** Partners listed at most. */
  public static final int MAX_PARTNERS = 16;
}
