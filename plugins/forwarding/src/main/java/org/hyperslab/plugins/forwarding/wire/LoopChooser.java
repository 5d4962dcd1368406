package org.hyperslab.plugins.forwarding.wire;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorChooserFactory;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which of a server's threads gets a connection: each in turn, but none that a connection occupies.
 * The last one is spare, for connections that come while all others are occupied.
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

  /** Runs something that takes its time in a connection's thread. */
  void occupy(EventExecutor thread, Runnable action) {
    occupied.add(thread);
    try {
      action.run();
    } finally {
      occupied.remove(thread);
    }
  }
}
