package org.hyperslab.plugins.forwarding.server;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.hyperslab.plugins.forwarding.wire.Acknowledge;
import org.hyperslab.plugins.forwarding.wire.Frame;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;

/**
 * Decides whether the thread that receives a write also carries it out, instead of handing it to a
 * worker. The bytes are then still in the cache of that thread's processor. Because the thread
 * reads nothing meanwhile, it carries out a write only if
 *
 * <ul>
 *   <li>the server has at most {@value #MAX_THREADS} threads; with more, receiving and writing on
 *       different processors at the same time is faster;
 *   <li>there is only one session, and none of its requests waits or runs;
 *   <li>the write has {@value #MIN_BYTES} to {@value #MAX_BYTES} bytes and need not be durable; the
 *       compactor then accepts it only if it needs no conversion and no filter;
 *   <li>writes are as fast as into a page cache: of the latest writes, at least {@value #ENOUGH}
 *       more were fast than slow. A write that takes {@value #STUCK_MILLIS} ms resets this count.
 * </ul>
 *
 * <p>Thread rule: any thread.
 */
final class InlineWritePolicy {

  private static final int MAX_THREADS = 2;
  private static final long MIN_BYTES = 64 << 10;
  private static final long MAX_BYTES = 4 << 20;

  /** The longest duration of a fast write, in nanoseconds; each MiB adds the same time again. */
  private static final long QUICK_NANOS = 2_000_000;

  private static final long STUCK_MILLIS = 100;
  private static final int ENOUGH = 16;
  private static final int MOST = 3 * ENOUGH;

  private final boolean possible;
  private final LongSupplier clock;
  private int quick;

  /**
   * Creates the policy of a server.
   *
   * @param options the options of the server
   * @param clock measures writes, in nanoseconds as System.nanoTime does
   */
  InlineWritePolicy(ServerOptions options, LongSupplier clock) {
    this.clock = clock;
    this.possible = options.threads() <= MAX_THREADS && options.peers().isEmpty();
  }

  /** {@return whether the receiving thread may carry out a request, if it is a write} */
  boolean mayTake(Frame request) {
    return possible
        && request.payloadBytes() >= MIN_BYTES
        && request.payloadBytes() <= MAX_BYTES
        && Acknowledge.of(request.flags()) != Acknowledge.DURABLE
        && areQuick();
  }

  private synchronized boolean areQuick() {
    return quick >= ENOUGH;
  }

  /** Records the duration of a write. */
  synchronized void wrote(long bytes, long nanos) {
    if (nanos >= TimeUnit.MILLISECONDS.toNanos(STUCK_MILLIS)) {
      quick = 0;
    } else if (nanos <= QUICK_NANOS + (QUICK_NANOS * (bytes >> 10) >> 10)) {
      quick = Math.min(MOST, quick + 1);
    } else {
      quick = Math.max(0, quick - 1);
    }
  }

  /** {@return a connector that measures writes; the given one if that is not needed} */
  Connector watching(Connector below) {
    return possible ? new Watched(below) : below;
  }

  private final class Watched extends PassThroughConnector {
    Watched(Connector below) {
      super(below.name(), below);
    }

    @Override
    public <R> CompletionStage<R> submit(Operation<R> operation) {
      if (!(operation instanceof DatasetOperation.Write write)) {
        return below.submit(operation);
      }
      long bytes = write.source().elements().byteSize();
      long begun = clock.getAsLong();
      CompletionStage<R> stage = below.submit(operation);
      wrote(bytes, clock.getAsLong() - begun);
      return stage;
    }
  }
}
