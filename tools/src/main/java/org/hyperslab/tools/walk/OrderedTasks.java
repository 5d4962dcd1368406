package org.hyperslab.tools.walk;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Computes results on several threads and uses them on one, in the order of the inputs. At most two
 * unused results per processor exist, so memory is bounded.
 *
 * <p>Thread rule: confined to the thread that uses the results.
 */
public final class OrderedTasks {

  private static final int THREADS = Runtime.getRuntime().availableProcessors();

  private OrderedTasks() {}

  /**
   * Computes a result for each input on several threads, and uses the results in order. A failure
   * is thrown when its result would be used: earlier results have been used, later ones are not.
   *
   * @param <T> the type of the inputs
   * @param <R> the type of the results
   * @param all the inputs
   * @param make computes a result, called by several threads at a time
   * @param use uses a result on the calling thread, and returns whether to continue
   */
  public static <T, R> void run(Iterable<T> all, Function<T, R> make, Predicate<R> use) {
    Iterator<T> pieces = all.iterator();
    if (!pieces.hasNext()) {
      return;
    }
    T first = pieces.next();
    if (!pieces.hasNext()) {
      boolean _ = use.test(make.apply(first)); // there is no further input
      return;
    }
    several(first, pieces, make, use);
  }

  private static <T, R> void several(
      T first, Iterator<T> pieces, Function<T, R> make, Predicate<R> use) {
    Deque<Future<R>> made = new ArrayDeque<>();
    ExecutorService workers = Executors.newFixedThreadPool(THREADS, OrderedTasks::daemon);
    try {
      made.addLast(workers.submit(() -> make.apply(first)));
      while (pieces.hasNext() || !made.isEmpty()) {
        while (pieces.hasNext() && made.size() < 2 * THREADS) {
          T piece = pieces.next();
          made.addLast(workers.submit(() -> make.apply(piece)));
        }
        if (!use.test(result(made.removeFirst()))) {
          return;
        }
      }
    } finally {
      workers.shutdownNow();
    }
  }

  private static Thread daemon(Runnable work) {
    return Thread.ofPlatform().daemon().name("pieces").unstarted(work);
  }

  private static <R> R result(Future<R> future) {
    try {
      return future.get();
    } catch (ExecutionException failure) {
      switch (failure.getCause()) {
        case RuntimeException known -> throw known;
        case Error known -> throw known;
        case Throwable other -> throw new IllegalStateException(other);
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while pieces of a dataset were read", stop);
    }
  }
}
