package org.hyperslab.web.limit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hyperslab.error.LimitExceededException;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.web.options.WebOptions;

/**
 * What one request may still use: elements, time in which the server works for it, and memory. It
 * ends when the client leaves.
 *
 * <p>Thread rule: one thread at a time, except {@link #cancel}, which any thread calls.
 */
public final class RequestBudget implements JsonOutput.Budget {

  private final WebOptions.Limits limits;
  private final MemoryShare memory;
  private final AtomicBoolean cancelled = new AtomicBoolean();
  private long elements;
  private long workedNanos;
  private long startNanos = System.nanoTime();
  private int held;
  private int heldApart;

  /**
   * Creates a budget.
   *
   * @param limits how much the request may use
   * @param memory the memory of all requests; null for any
   */
  public RequestBudget(WebOptions.Limits limits, MemoryShare memory) {
    this.limits = limits;
    this.memory = memory;
  }

  /** {@return a budget that does not end, for texts that are not requested by a client} */
  public static RequestBudget unlimited() {
    return new RequestBudget(new WebOptions.Limits(Long.MAX_VALUE, Integer.MAX_VALUE), null);
  }

  /** Ends the request: its client has left. */
  public void cancel() {
    cancelled.set(true);
  }

  /** Starts the clock again after the request has waited for its client. */
  public void resume() {
    startNanos = System.nanoTime();
  }

  /** Stops the clock while the request waits for its client. */
  public void pause() {
    workedNanos += System.nanoTime() - startNanos;
  }

  /**
   * Checks that the request may go on.
   *
   * @throws RequestRefusal if the client has left or the time is over
   */
  @Override
  public void check() {
    if (cancelled.get()) {
      throw new RequestRefusal(499, "request: actual=the client has left, expected=it waits");
    }
    long worked = workedNanos + System.nanoTime() - startNanos;
    if (worked > TimeUnit.SECONDS.toNanos(limits.seconds())) {
      throw new RequestRefusal(
          503,
          "time for one request: actual=more than "
              + limits.seconds()
              + " s, expected=at most that; request a part with a selection, or start the server"
              + " with more --request-seconds");
    }
  }

  /**
   * Counts elements that are read, and checks that the request may go on.
   *
   * @param count the number of elements
   * @throws LimitExceededException if they are too many
   */
  public void spend(long count) {
    check();
    elements = elements > Long.MAX_VALUE - count ? Long.MAX_VALUE : elements + count;
    if (elements > limits.elements()) {
      throw new LimitExceededException(
          "elements of one request: actual="
              + elements
              + " or more, expected=at most "
              + limits.elements()
              + "; request a part with a selection, or start the server with more"
              + " --request-elements");
    }
  }

  /**
   * Takes memory until it is {@linkplain #release released} or the request ends.
   *
   * @param bytes the number of bytes
   * @return what to release
   */
  public int hold(long bytes) {
    check();
    if (memory == null) {
      return 0;
    }
    int taken = memory.take(bytes, heldApart);
    if (taken < 0) {
      heldApart -= taken;
    } else {
      held += taken;
    }
    return taken;
  }

  /**
   * Frees memory before the request ends.
   *
   * @param taken what {@link #hold} has returned
   */
  public void release(int taken) {
    if (taken < 0) {
      heldApart += taken;
    } else {
      held -= taken;
    }
    if (taken != 0) {
      memory.free(taken);
    }
  }

  /** Frees all memory: the request has ended. */
  public void end() {
    release(held);
    release(-heldApart);
  }

  @Override
  public void take(int bytes) {
    hold(bytes);
  }
}
