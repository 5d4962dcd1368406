package org.hyperslab.plugins.configured;

import java.util.ArrayList;
import java.util.List;

/**
 * The decisions of a connector, the first of them up to a bound; later ones are counted.
 *
 * <p>Thread rule: any thread.
 */
final class Explanation {

  private static final int MOST = 10_000;

  private final List<Decision> decisions = new ArrayList<>();
  private long left;

  synchronized <T> T add(Applied<T> applied) {
    for (Decision decision : applied.decisions()) {
      if (decisions.size() < MOST) {
        decisions.add(decision);
      } else {
        left++;
      }
    }
    return applied.options();
  }

  synchronized List<Decision> decisions() {
    return List.copyOf(decisions);
  }

  /** Returns a line for each decision, and one for those that were only counted. */
  synchronized List<String> lines() {
    List<String> lines = new ArrayList<>();
    decisions.forEach(decision -> lines.add(decision.toString()));
    if (left > 0) {
      lines.add(left + " more decisions");
    }
    return lines;
  }
}
