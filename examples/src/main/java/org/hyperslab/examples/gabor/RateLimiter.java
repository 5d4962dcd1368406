package org.hyperslab.examples.gabor;

/**
 * Runs an action on request, but at most once in a given time.
 *
 * <p>Thread rule: confined to a thread.
 */
final class RateLimiter implements Runnable {

  private final Runnable action;
  private final long nanos;
  private long last = System.nanoTime();

  RateLimiter(Runnable action, long nanos) {
    this.action = action;
    this.nanos = nanos;
  }

  @Override
  public void run() {
    long now = System.nanoTime();
    if (now - last >= nanos) {
      action.run();
      last = System.nanoTime();
    }
  }
}
