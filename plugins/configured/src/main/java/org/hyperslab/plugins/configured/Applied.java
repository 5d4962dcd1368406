package org.hyperslab.plugins.configured;

import java.util.List;

/** Options after a configuration file has been applied, and how it came to that. */
record Applied<T>(T options, List<Decision> decisions) {
  Applied {
    decisions = List.copyOf(decisions);
  }
}
