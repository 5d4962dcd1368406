package org.hyperslab.plugins.libhdf5.object;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import org.hyperslab.plugins.libhdf5.call.ProgramThread;
import org.hyperslab.vol.Connectors;

/**
 * An asynchronous operation, with the work that remains when it completes: moving variable-length
 * elements to the program's memory, which only the program's thread may do.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class RequestUnderWay {

  /** The states of {@code H5VL_request_status_t}. */
  public static final int IN_PROGRESS = 0;

  static final int SUCCEEDED = 1;
  static final int FAILED = 2;
  public static final int CANNOT_CANCEL = 3;

  private final CompletableFuture<?> stage;
  private final long startedNanos = System.nanoTime();
  private final long startedMicros = System.currentTimeMillis() * 1000;
  private volatile long endedNanos;
  private Runnable finish;
  private Throwable failure;

  public RequestUnderWay(CompletableFuture<?> stage, Runnable finish) {
    this.stage = stage.whenComplete((done, failed) -> endedNanos = System.nanoTime());
    this.finish = finish;
  }

  /**
   * Waits for the operation and does the remaining work.
   *
   * @param nanos the maximum time to wait, in nanoseconds, as an unsigned number
   * @return the state after waiting
   */
  public int await(long nanos) {
    try {
      ProgramThread.serve(stage, nanos);
      if (nanos < 0) {
        stage.get();
      } else {
        stage.get(0, TimeUnit.NANOSECONDS);
      }
      finishOnce();
      return SUCCEEDED;
    } catch (TimeoutException e) {
      return IN_PROGRESS;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return IN_PROGRESS;
    } catch (ExecutionException e) {
      failure = Connectors.causeOf(e.getCause());
      return FAILED;
    } catch (RuntimeException e) {
      failure = e;
      return FAILED;
    }
  }

  private void finishOnce() {
    Runnable left = finish;
    finish = null;
    if (left != null) {
      left.run();
    }
  }

  /** Sets a callback that is called when the operation ends, in the thread that ends it. */
  public void whenDone(IntConsumer callback) {
    stage.whenComplete((done, failed) -> callback.accept(failed == null ? SUCCEEDED : FAILED));
  }

  /** Returns the failure that {@link #await} found; null if there is none. */
  public Throwable failure() {
    return failure;
  }

  /** Returns when the operation started, in microseconds. */
  public long startedMicros() {
    return startedMicros;
  }

  /** Returns how long the operation took, in nanoseconds. */
  public long durationNanos() {
    return Math.max(0, endedNanos - startedNanos);
  }
}
