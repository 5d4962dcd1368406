package org.hyperslab;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.hyperslab.vol.Connectors;

/**
 * Collects asynchronous calls, to wait for all of them and to find out which failed, like HDF5's
 * H5ES. A call leaves the set when it completes; the error of a failed call is kept.
 *
 * <pre>{@code
 * EventSet events = new EventSet();
 * events.insert("density", density.writeAsync(values));
 * EventSet.Status status = events.await(Duration.ofMinutes(1));
 * }</pre>
 *
 * <p>Thread rule: any thread. Source of the behaviour: H5ES.c.
 */
public final class EventSet {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Failure> failures = new ArrayList<>();
  private long inserted;
  private long pending;

  /** Creates a set without calls. */
  public EventSet() {}

  /**
   * A call that failed.
   *
   * @param label the caller's label
   * @param number how many calls had been inserted before it
   * @param cause what it failed with
   */
  public record Failure(String label, long number, Throwable cause) {}

  /**
   * The state of a set.
   *
   * @param pending calls not yet completed
   * @param failed calls that failed, since the errors were last taken
   */
  public record Status(long pending, long failed) {
    /** {@return whether every call has completed, successfully or not} */
    public boolean isDone() {
      return pending == 0;
    }
  }

  /**
   * Adds a call, with a label for messages, and returns it.
   *
   * @param <R> the type of the result
   * @param <S> the class of the call's stage
   * @param label the name of the call in errors
   * @param call the call under way
   * @return the call that was given
   */
  public <R, S extends CompletionStage<R>> S insert(String label, S call) {
    long number;
    lock.lock();
    try {
      number = inserted++;
      pending++;
    } finally {
      lock.unlock();
    }
    CompletableFuture<R> watched = call.toCompletableFuture();
    watched.whenComplete((result, failure) -> completed(label, number, failure));
    return call;
  }

  /**
   * Adds a call without a label.
   *
   * @param <R> the type of the result
   * @param <S> the class of the call's stage
   * @param call the call under way
   * @return the call that was given
   */
  public <R, S extends CompletionStage<R>> S insert(S call) {
    return insert("", call);
  }

  private void completed(String label, long number, Throwable failure) {
    lock.lock();
    try {
      pending--;
      if (failure != null) {
        failures.add(new Failure(label, number, Connectors.causeOf(failure)));
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until every call has completed, successfully or not.
   *
   * @return how many calls have completed and failed
   */
  public Status await() {
    return await(Duration.ofSeconds(Long.MAX_VALUE));
  }

  /**
   * Waits until every call has completed, successfully or not, or the time has elapsed; zero does
   * not wait. An interrupt ends the wait and remains set.
   *
   * @param atMost the longest time to wait
   * @return how many calls have completed and failed
   */
  public Status await(Duration atMost) {
    long nanos = TimeUnit.NANOSECONDS.convert(atMost);
    lock.lock();
    try {
      while (pending > 0 && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
    return status();
  }

  /** {@return the current state} */
  public Status status() {
    lock.lock();
    try {
      return new Status(pending, failures.size());
    } finally {
      lock.unlock();
    }
  }

  /** {@return how many calls have ever been inserted} */
  public long insertedCount() {
    lock.lock();
    try {
      return inserted;
    } finally {
      lock.unlock();
    }
  }

  /**
   * {@return the failures so far, in the order in which they happened} They are removed from the
   * set.
   */
  public List<Failure> takeFailures() {
    lock.lock();
    try {
      List<Failure> taken = List.copyOf(failures);
      failures.clear();
      return taken;
    } finally {
      lock.unlock();
    }
  }
}
