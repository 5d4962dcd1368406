package org.hyperslab.plugins.nativevol.transfer;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.hyperslab.vol.Uninterrupted;

/**
 * Threads that share the work of one transfer. The caller's thread takes part, so that a transfer
 * makes progress even if every worker is busy with other transfers.
 *
 * <p>Thread rule: any thread.
 */
public final class Workers implements AutoCloseable {

  private final int threads;
  private final ExecutorService pool;

  /**
   * Starts a pool with a total number of threads, including callers.
   *
   * @param threads the number of threads; 0 for one for each core
   */
  public Workers(int threads) {
    this.threads = threads > 0 ? threads : Runtime.getRuntime().availableProcessors();
    this.pool =
        Executors.newFixedThreadPool(
            Math.max(1, this.threads - 1),
            Thread.ofPlatform().daemon().name("hyperslab-worker-", 0).factory());
  }

  private Workers(int threads, ExecutorService pool) {
    this.threads = threads;
    this.pool = pool;
  }

  /**
   * {@return a view of these threads that limits the number sharing a transfer}
   *
   * @param limit the greatest number of threads
   */
  public Workers atMost(int limit) {
    return new Workers(Math.clamp(limit, 1, threads), pool);
  }

  /** {@return the number of threads that share a transfer} */
  public int threads() {
    return threads;
  }

  /**
   * Calls an action with each item, on up to {@link #threads} threads, in no particular order.
   * Returns when all calls are complete; the first failure stops the remaining ones and is thrown.
   *
   * @param <T> the type of the items
   * @param items the items, taken one at a time under a lock
   * @param action the action to call with each item
   */
  public <T> void forEach(Iterator<T> items, Consumer<T> action) {
    if (threads == 1) {
      items.forEachRemaining(action);
      return;
    }
    Shared<T> shared = new Shared<>(items, action);
    if (shared.hasSeveral()) {
      for (int i = 1; i < threads; i++) {
        pool.execute(shared::help);
      }
    }
    shared.work();
    shared.awaitHelpers();
    shared.rethrow();
  }

  @Override
  public void close() {
    pool.shutdown();
  }

  /** The work of one call. A helper that has not begun when the work is complete never begins. */
  private static final class Shared<T> {
    private final Iterator<T> items;
    private final Consumer<T> action;
    private final ArrayDeque<T> lookedAt = new ArrayDeque<>(2);
    private Throwable failure;
    private int helping;
    private boolean done;

    Shared(Iterator<T> items, Consumer<T> action) {
      this.items = items;
      this.action = action;
    }

    boolean hasSeveral() {
      while (lookedAt.size() < 2 && items.hasNext()) {
        lookedAt.add(items.next());
      }
      return lookedAt.size() == 2;
    }

    private synchronized T take() {
      if (failure != null) {
        return null;
      }
      T item = lookedAt.poll();
      return item != null ? item : items.hasNext() ? items.next() : null;
    }

    void work() {
      try {
        for (T item = take(); item != null; item = take()) {
          action.accept(item);
        }
      } catch (RuntimeException | Error thrown) {
        fail(thrown);
      }
    }

    void help() {
      synchronized (this) {
        if (done) {
          return;
        }
        helping++;
      }
      work();
      synchronized (this) {
        helping--;
        notifyAll();
      }
    }

    private synchronized void fail(Throwable thrown) {
      if (failure == null) {
        failure = thrown;
      } else if (failure != thrown) {
        failure.addSuppressed(thrown);
      }
    }

    /** Waits for the helpers, even if interrupted, because they use the caller's buffers. */
    synchronized void awaitHelpers() {
      done = true;
      Uninterrupted.await(this, () -> helping > 0);
    }

    synchronized void rethrow() {
      if (failure instanceof Error error) {
        throw error;
      }
      if (failure instanceof RuntimeException runtime) {
        throw runtime;
      }
    }
  }
}
