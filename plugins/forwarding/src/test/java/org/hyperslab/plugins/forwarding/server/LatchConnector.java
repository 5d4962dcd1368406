package org.hyperslab.plugins.forwarding.server;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;

/** A connector over native that can hold operations in submit until a test releases them. */
public final class LatchConnector extends PassThroughConnector {

  private final List<Operation<?>> carriedOut = new CopyOnWriteArrayList<>();
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch door = new CountDownLatch(1);
  private volatile Predicate<Operation<?>> held;

  /** Holds operations of a kind. */
  public LatchConnector(Predicate<Operation<?>> held) {
    super("latch", Connectors.create("native"));
    this.held = held;
  }

  /** Waits until an operation has arrived. */
  public void awaitHeld() throws InterruptedException {
    reached.await();
  }

  /** Lets everything through from now on. */
  public void open() {
    held = operation -> false;
    door.countDown();
  }

  /** Returns the operations that were passed on, in order. */
  public List<Operation<?>> carriedOut() {
    return carriedOut;
  }

  @Override
  public <R> CompletionStage<R> submit(Operation<R> operation) {
    if (held.test(operation)) {
      reached.countDown();
      boolean waiting = true;
      while (waiting) {
        try {
          door.await();
          waiting = false;
        } catch (InterruptedException again) {
          waiting = door.getCount() > 0;
        }
      }
    }
    carriedOut.add(operation);
    return below.submit(operation);
  }
}
