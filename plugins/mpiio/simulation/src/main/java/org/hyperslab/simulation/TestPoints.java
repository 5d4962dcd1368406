package org.hyperslab.simulation;

/**
 * When ranks that compute beside a started access test it: only then do they go on with it. A
 * message or request that is under way goes on by itself.
 *
 * <p>Times are nanoseconds from the start. Thread rule: immutable.
 *
 * @param endNanos when the computation ends, including its tests; from then on ranks wait for the
 *     access
 * @param intervalNanos the time from one test to the next
 */
record TestPoints(double endNanos, double intervalNanos) {

  /** No computation. */
  static final TestPoints NONE = new TestPoints(0, 0);

  /** Returns the points of a computation. */
  static TestPoints of(SimulatedJob.Computation computation) {
    double interval = Math.min(computation.testSeconds(), computation.seconds());
    double tests = interval > 0 ? Math.floor(computation.seconds() / interval) : 0;
    double cost = computation.testCostSeconds();
    return new TestPoints(1e9 * (computation.seconds() + tests * cost), 1e9 * (interval + cost));
  }

  /** Returns when a rank notices what has happened at a time. */
  double noticed(double at) {
    return at >= endNanos ? at : Math.min(endNanos, Math.ceil(at / intervalNanos) * intervalNanos);
  }
}
