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
 * Decides whether the thread that receives a write also carries it out, while its processor's cache
 * holds the bytes, instead of handing it to a worker on another processor.
 *
 * <p>That thread reads no further meanwhile. So it does this only
 *
 * <ul>
 *   <li>where the server has no more than {@value #MOST_THREADS} threads: with more, receiving and
 *       writing on different processors at the same time is faster;
 *   <li>while one session has all that is granted, and nothing of it waits or runs, so that nobody
 *       else is served and no lock is held;
 *   <li>for {@value #LEAST_BYTES} to {@value #MOST_BYTES} bytes that need not be durable, of which
 *       the compactor then takes only what it need neither convert nor filter;
 *   <li>while writes, whoever carries them out, are as quick as into a page cache: at least {@value
 *       #ENOUGH} more of the latest have been quick than slow. One that took {@value #STUCK_MILLIS}
 *       ms ends that.
 * </ul>
 *
 * <p>Thread rule: any thread.
 */
final class InlineWritePolicy {

  private static final int MOST_THREADS = 2;
  private static final long LEAST_BYTES = 64 << 10;
  private static final long MOST_BYTES = 4 << 20;

  /** What a quick write may take: so long, and as long again for each MiB. */
  private static final long QUICK_NANOS = 2_000_000;

  private static final long STUCK_MILLIS = 100;
  private static final int ENOUGH = 16;
  private static final int MOST = 3 * ENOUGH;

  private final boolean possible;
  private final LongSupplier clock;
  private int quick;

  /**
   * Decides for a server.
   *
   * @param clock nanoseconds, as System.nanoTime counts
   */
  InlineWritePolicy(ServerOptions options, LongSupplier clock) {
    this.clock = clock;
    this.possible = options.threads() <= MOST_THREADS && options.peers().isEmpty();
  }

  /** Whether a request is such a write, if it is a write and comes alone. */
  boolean mayTake(Frame request) {
    return possible
        && request.payloadBytes() >= LEAST_BYTES
        && request.payloadBytes() <= MOST_BYTES
        && Acknowledge.of(request.flags()) != Acknowledge.DURABLE
        && areQuick();
  }

  private synchronized boolean areQuick() {
    return quick >= ENOUGH;
  }

  /** So many bytes have been written in so much time. */
  synchronized void wrote(long bytes, long nanos) {
    if (nanos >= TimeUnit.MILLISECONDS.toNanos(STUCK_MILLIS)) {
      quick = 0;
    } else if (nanos <= QUICK_NANOS + (QUICK_NANOS * (bytes >> 10) >> 10)) {
      quick = Math.min(MOST, quick + 1);
    } else {
      quick = Math.max(0, quick - 1);
    }
  }

  /** A connector of which it learns how quick writes are; the same one if that does not matter. */
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
