package org.hyperslab.plugins.compacting.queue;

import java.util.ArrayList;
import java.util.List;

/**
 * The point at which the lanes of a scope meet: the last lane to arrive starts the action, and all
 * lanes continue after the action has ended.
 *
 * <p>Thread rule: any thread.
 */
final class Barrier {

  private final List<Runnable> arrived = new ArrayList<>();
  private int expected;
  private boolean complete;
  private boolean started;
  private boolean done;
  private Runnable action;

  /** Counts a lane whose queue gets the barrier; returns false if the barrier is already done. */
  synchronized boolean expect() {
    if (done) {
      return false;
    }
    expected++;
    return true;
  }

  /** Removes a counted lane that has been closed meanwhile. */
  synchronized void forget() {
    expected--;
  }

  /**
   * Declares that all lanes of the scope have been counted, and starts the action if all of them
   * have arrived.
   *
   * @param theAction the action
   */
  void allExpected(Runnable theAction) {
    synchronized (this) {
      action = theAction;
      complete = true;
    }
    startIfAllArrived();
  }

  /**
   * Records that a lane has arrived.
   *
   * @param resume called when the lane may continue
   */
  void arrive(Runnable resume) {
    boolean resumes;
    synchronized (this) {
      resumes = done;
      if (!done) {
        arrived.add(resume);
      }
    }
    if (resumes) {
      resume.run();
    } else {
      startIfAllArrived();
    }
  }

  private void startIfAllArrived() {
    synchronized (this) {
      if (started || !complete || arrived.size() < expected) {
        return;
      }
      started = true;
    }
    action.run();
  }

  /** Lets all lanes continue after the action has ended. */
  void completed() {
    List<Runnable> waiting;
    synchronized (this) {
      done = true;
      waiting = List.copyOf(arrived);
      arrived.clear();
    }
    waiting.forEach(Runnable::run);
  }
}
