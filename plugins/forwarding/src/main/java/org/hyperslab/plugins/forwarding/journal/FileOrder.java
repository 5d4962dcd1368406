package org.hyperslab.plugins.forwarding.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Orders the operations on one file. They start in the order in which they were added. An operation
 * that runs alone starts after all before it are over, and is over before the next one starts;
 * others start at once.
 *
 * <p>No thread ever waits here: an operation that cannot start yet is kept as a value, and started
 * later by a thread of the executor. The lock guards the queue only, and is never held while an
 * operation is started, so that the end of one operation cannot wait for another.
 *
 * <p>Thread rule: any thread.
 */
final class FileOrder {

  /** The number of operations after which other files may use the thread. */
  private static final int TURN = 64;

  private final Executor executor;

  // Guarded by this.
  private final Deque<Entry<?>> waiting = new ArrayDeque<>();
  private final Set<Entry<?>> running = new LinkedHashSet<>();
  private int passing;
  private boolean alone;
  private boolean draining;

  FileOrder(Executor executor) {
    this.executor = executor;
  }

  /** An operation that was added. */
  private static final class Entry<R> {
    final Object name;
    final BooleanSupplier alone;
    final Supplier<Underway<R>> start;
    final CompletableFuture<R> result = new CompletableFuture<>();
    final CompletableFuture<Void> over = new CompletableFuture<>();
    boolean runsAlone;

    Entry(Object name, BooleanSupplier alone, Supplier<Underway<R>> start) {
      this.name = name;
      this.alone = alone;
      this.start = start;
    }
  }

  /**
   * Adds an operation, which this thread starts if it need not wait.
   *
   * @param name names the operation, for people
   * @param alone whether it runs alone. Asked when its turn comes, with this order's lock held and
   *     while no operation runs alone
   * @param start starts the operation
   * @return the operation's stages
   */
  <R> Underway<R> add(Object name, BooleanSupplier alone, Supplier<Underway<R>> start) {
    Entry<R> entry = new Entry<>(name, alone, start);
    boolean now;
    synchronized (this) {
      now = waiting.isEmpty() && !draining && admit(entry);
      if (!now) {
        waiting.add(entry);
      }
    }
    if (now) {
      run(entry);
    }
    return new Underway<>(entry.result, entry.over);
  }

  /** Adds an operation that runs alone. */
  <R> Underway<R> alone(Object name, Supplier<Underway<R>> start) {
    return add(name, () -> true, start);
  }

  /**
   * Lets an operation pass that need not run alone, if nothing is before it; the caller starts it
   * and calls {@link #leave}. This does the same as {@link #add}, without keeping anything.
   *
   * @param alone whether the operation runs alone; asked with this order's lock held
   * @return false if the operation has to be added
   */
  synchronized boolean enter(BooleanSupplier alone) {
    boolean passes = !this.alone && !draining && waiting.isEmpty() && !alone.getAsBoolean();
    passing += passes ? 1 : 0;
    return passes;
  }

  /** Ends an operation that has passed. */
  void leave() {
    boolean wakes;
    synchronized (this) {
      passing--;
      wakes = wakes();
    }
    if (wakes) {
      executor.execute(this::drain);
    }
  }

  /** Returns whether a thread must start what waits; called with the lock held. */
  private boolean wakes() {
    boolean wakes = !draining && !waiting.isEmpty();
    draining |= wakes;
    return wakes;
  }

  /** Counts an operation as running if its turn has come. */
  private boolean admit(Entry<?> entry) {
    if (alone) {
      return false;
    }
    entry.runsAlone = entry.alone.getAsBoolean();
    if (entry.runsAlone && (passing > 0 || !running.isEmpty())) {
      return false;
    }
    alone = entry.runsAlone;
    running.add(entry);
    return true;
  }

  private <R> void run(Entry<R> entry) {
    Underway<R> underway;
    try {
      underway = entry.start.get();
    } catch (RuntimeException | Error failed) {
      underway = Underway.failed(failed);
    }
    CompletableFuture<R> result = underway.result().toCompletableFuture();
    result.whenComplete((value, failure) -> answer(entry, value, failure));
    underway
        .over()
        .whenComplete((done, ignored) -> {
          if (result.isDone()) { // then it is known before the next operation starts
            result.whenComplete((value, failure) -> answer(entry, value, failure));
          }
          ended(entry);
        });
  }

  private static <R> void answer(Entry<R> entry, R value, Throwable failure) {
    if (failure == null) {
      entry.result.complete(value);
    } else {
      entry.result.completeExceptionally(failure);
    }
  }

  private void ended(Entry<?> entry) {
    boolean wakes;
    synchronized (this) {
      running.remove(entry);
      alone &= !entry.runsAlone;
      wakes = wakes();
    }
    if (wakes) {
      executor.execute(this::drain);
    }
    entry.over.complete(null);
  }

  /** Starts the operations whose turn has come. */
  private void drain() {
    for (int i = 0; i < TURN; i++) {
      Entry<?> next;
      synchronized (this) {
        next = waiting.peek();
        draining = next != null && admit(next);
        if (!draining) {
          return;
        }
        waiting.remove();
      }
      run(next);
    }
    executor.execute(this::drain);
  }

  /** {@return the operations that have started and are not over, in order} */
  synchronized List<String> running() {
    List<String> names = new ArrayList<>();
    running.forEach(entry -> names.add(String.valueOf(entry.name)));
    return names;
  }

  /** {@return whether nothing runs or waits} */
  synchronized boolean isIdle() {
    return waiting.isEmpty() && running.isEmpty() && passing == 0;
  }
}
