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

  /** What of {@link #held} or {@link #heldApart} is for a piece, as {@link #hold} has returned. */
  private int piece;

  /** The units that were taken after waiting, and are not held yet. */
  private int granted;

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
   * @throws MemoryShortage if too little is free; what the request does is done again later
   */
  public int hold(long bytes) {
    check();
    if (memory == null) {
      return 0;
    }
    int needed = memory.unitsOf(bytes);
    if (needed <= granted) {
      granted -= needed;
      held += needed;
      return needed;
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
   * Takes memory for a piece of the reply, until it is {@linkplain #sent sent} or the request ends.
   *
   * @param bytes the number of bytes
   * @throws MemoryShortage if too little is free; the piece is asked for again later
   */
  public void holdPiece(long bytes) {
    piece = hold(bytes);
  }

  /** Frees the memory of the piece that was sent, if it held any. */
  public void sent() {
    release(piece);
    piece = 0;
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

  /**
   * Gives all memory back and waits until there is as much again, and what was missing. The request
   * begins again then.
   *
   * @param shortage what was missing
   * @param next begins the request again; must not wait
   * @return the waiting
   * @throws LimitExceededException if all of the share is less than that
   */
  public MemoryShare.Waiter beginAgain(MemoryShortage shortage, Runnable next) {
    int all = Math.addExact(shortage.units(), held + heldApart);
    end();
    elements = 0;
    return await(all, next);
  }

  /**
   * Waits until there is what was missing; what the request holds stays.
   *
   * @param shortage what was missing
   * @param next goes on; must not wait
   * @return the waiting
   */
  public MemoryShare.Waiter goOn(MemoryShortage shortage, Runnable next) {
    return await(shortage.units(), next);
  }

  private MemoryShare.Waiter await(int units, Runnable next) {
    return memory.await(
        units,
        () -> {
          granted += units;
          next.run();
        });
  }

  /** Frees all memory: the request has ended. */
  public void end() {
    piece = 0;
    release(held);
    release(-heldApart);
    int unused = granted;
    granted = 0;
    if (unused > 0) {
      memory.free(unused);
    }
  }

  @Override
  public void take(int bytes) {
    hold(bytes);
  }
}
