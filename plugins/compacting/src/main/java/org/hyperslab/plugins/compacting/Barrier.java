package org.hyperslab.plugins.compacting;

import java.util.ArrayList;
import java.util.List;

/**
 * Where the lanes of a scope meet: the last to arrive sets off the action, and all go on when it is
 * done.
 *
 * <p>Thread rule: any thread.
 */
final class Barrier {

  private final List<Lane> arrived = new ArrayList<>();
  private int awaited;
  private boolean open;
  private boolean started;
  private boolean done;
  private Runnable action;

  /** Counts in a lane that is to have the barrier in its queue; false if the barrier is done. */
  synchronized boolean await() {
    if (done) {
      return false;
    }
    awaited++;
    return true;
  }

  /** A lane that was counted in is gone. */
  synchronized void forget() {
    awaited--;
  }

  /**
   * All lanes that there are now are counted in; starts the action if none has to be waited for.
   */
  void opened(Runnable theAction) {
    synchronized (this) {
      action = theAction;
      open = true;
    }
    startIfAllAreHere();
  }

  /** A lane has come to the barrier; {@link Lane#passed} is called when it may go on. */
  void arrive(Lane lane) {
    boolean goesOn;
    synchronized (this) {
      goesOn = done;
      if (!done) {
        arrived.add(lane);
      }
    }
    if (goesOn) {
      lane.passed();
    } else {
      startIfAllAreHere();
    }
  }

  private void startIfAllAreHere() {
    synchronized (this) {
      if (started || !open || arrived.size() < awaited) {
        return;
      }
      started = true;
    }
    action.run();
  }

  /** The action has ended. */
  void completed() {
    List<Lane> waiting;
    synchronized (this) {
      done = true;
      waiting = List.copyOf(arrived);
      arrived.clear();
    }
    waiting.forEach(Lane::passed);
  }
}
