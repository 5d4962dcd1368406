package org.hyperslab.plugins.forwarding.wire;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorChooserFactory;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Assigns connections to a server's threads in turn, skipping occupied threads. The last thread is
 * a spare for connections that arrive while all others are occupied.
 *
 * <p>Thread rule: any thread.
 */
final class LoopChooser implements EventExecutorChooserFactory {

  private final Set<EventExecutor> occupied = ConcurrentHashMap.newKeySet();
  private final AtomicInteger turn = new AtomicInteger();

  @Override
  public EventExecutorChooser newChooser(EventExecutor[] all) {
    return () -> choose(all);
  }

  private EventExecutor choose(EventExecutor[] all) {
    int usual = all.length - 1;
    int first = Math.floorMod(turn.getAndIncrement(), usual);
    for (int i = 0; i < usual; i++) {
      EventExecutor next = all[(first + i) % usual];
      if (!occupied.contains(next)) {
        return next;
      }
    }
    return all[usual];
  }

  /** Runs a long action in a connection's thread, which gets no further connections meanwhile. */
  void occupy(EventExecutor thread, Runnable action) {
    occupied.add(thread);
    try {
      action.run();
    } finally {
      occupied.remove(thread);
    }
  }
}
