package org.hyperslab.plugins.compacting;

/** What the compactor is asked for. Values: nothing in them changes. */
public sealed interface Request permits RawRequest, OrderedRequest {

  /** Who asks. */
  Origin origin();
}
