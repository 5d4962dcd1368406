package org.hyperslab.plugins.nativevol.transfer;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.hyperslab.vol.Uninterrupted;

/**
 * Threads that share the work of one transfer. The caller's thread works too, so that a transfer
 * makes progress even if every worker is busy with others.
 *
 * <p>Thread rule: any thread.
 */
public final class Workers implements AutoCloseable {

  private final int threads;
  private final ExecutorService pool;

  /**
   * Starts a pool for a number of threads in all, callers included.
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
   * {@return the same threads, of which at most a number share a transfer}
   *
   * @param limit the largest number of threads
   */
  public Workers atMost(int limit) {
    return new Workers(Math.clamp(limit, 1, threads), pool);
  }

  /** {@return how many threads share a transfer} */
  public int threads() {
    return threads;
  }

  /**
   * Does something with each item, on as many threads as there are, in no order. Returns when all
   * is done; the first failure stops the rest and is thrown.
   *
   * @param <T> the type of the result
   * @param items taken one at a time, under a lock
   * @param action called with each item
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

  /** The work of one call. Helpers that have not begun when it is done never do. */
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

    /** Waits even if interrupted: the helpers work in the caller's buffers. */
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
