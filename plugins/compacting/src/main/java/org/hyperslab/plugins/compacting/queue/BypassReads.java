package org.hyperslab.plugins.compacting.queue;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.plugins.compacting.plan.MergedRead;
import org.hyperslab.plugins.compacting.plan.PendingOverlap;
import org.hyperslab.plugins.compacting.plan.RawRequest;
import org.hyperslab.plugins.compacting.plan.ReadRequest;
import org.hyperslab.plugins.compacting.plan.RemainingRead;
import org.hyperslab.plugins.compacting.report.RequestOutcome;
import org.hyperslab.plugins.compacting.report.Trace;
import org.hyperslab.vol.Connectors;

/**
 * Carries out reads that bypass the queue because no earlier write is still to change their
 * elements. Reads that arrive while others wait for a thread, or while two rounds of reads are
 * under way, are merged into one round.
 *
 * <p>Thread rule: any thread.
 */
final class BypassReads {

  private static final int MAX_ROUNDS = 2;

  /** Receives completed reads. */
  interface Listener {
    /**
     * Called when a read has been carried out.
     *
     * @param read the read
     * @param failure its failure, or null if it succeeded
     */
    void carriedOut(PendingTransfer read, Throwable failure);
  }

  private final LaneContext context;
  private final Listener listener;

  // Guarded by this.
  private final List<Waiting> gathering = new ArrayList<>();
  private int rounds;
  private boolean starting;

  /** A read, and the part of it that the storage must supply. */
  private record Waiting(PendingTransfer read, PendingOverlap<PendingTransfer> overlap) {}

  BypassReads(LaneContext context, Listener listener) {
    this.context = context;
    this.listener = listener;
  }

  /** Adds a read whose copies have been made. */
  void add(PendingTransfer read, PendingOverlap<PendingTransfer> overlap) {
    read.trace =
        new Trace(
            read.origin(),
            overlap.copies().isEmpty() ? RequestOutcome.PASSED_BY : RequestOutcome.PARTLY_STOLEN,
            overlap.writes().stream()
                .limit(Trace.MAX_PARTNERS)
                .map(PendingTransfer::origin)
                .toList());
    synchronized (this) {
      gathering.add(new Waiting(read, overlap));
    }
    start();
  }

  private void start() {
    synchronized (this) {
      if (starting || rounds == MAX_ROUNDS || gathering.isEmpty()) {
        return;
      }
      starting = true;
      rounds++;
    }
    context.threads().executeFirst(this::runRound);
  }

  /** Carries out the collected reads. */
  private void runRound() {
    Map<RawRequest, PendingTransfer> reads = new IdentityHashMap<>();
    List<RemainingRead> remaining = new ArrayList<>();
    synchronized (this) {
      starting = false;
      // Equal request values go into separate rounds, so that their replies can be told apart.
      gathering.removeIf(each -> {
        boolean first = reads.putIfAbsent(each.read.request, each.read) == null;
        if (first) {
          remaining.add(each.overlap.remaining(remaining.size()));
        }
        return first;
      });
    }
    start(); // for requests left to the next round
    List<MergedRead> merged;
    try {
      merged = context.planner().mergeReads(remaining);
    } catch (RuntimeException defect) {
      InternalErrorException failure =
          InternalErrorException.unexpected("plan of merged reads", defect);
      reads.values().forEach(read -> listener.carriedOut(read, failure));
      endRound();
      return;
    }
    AtomicInteger outstanding = new AtomicInteger(merged.size());
    Runnable ended =
        () -> {
          if (outstanding.decrementAndGet() == 0) {
            endRound();
          }
        };
    for (MergedRead read : merged.subList(1, merged.size())) {
      context.threads().executeFirst(() -> carryOut(read, reads, ended));
    }
    carryOut(merged.getFirst(), reads, ended);
  }

  private void endRound() {
    synchronized (this) {
      rounds--;
    }
    start();
  }

  private void carryOut(MergedRead read, Map<RawRequest, PendingTransfer> reads, Runnable ended) {
    context
        .storage()
        .read(read)
        .whenComplete((done, failure) -> {
          if (failure != null && read.sources().size() > 1) {
            retry(read, reads, 0, ended);
            return;
          }
          for (ReadRequest source : read.sources()) {
            listener.carriedOut(reads.get(source), Connectors.causeOf(failure));
          }
          ended.run();
        });
  }

  /** Repeats a merged read for each source, so that each source gets only its own failure. */
  private void retry(
      MergedRead read, Map<RawRequest, PendingTransfer> reads, int index, Runnable ended) {
    if (index == read.sources().size()) {
      ended.run();
      return;
    }
    ReadRequest source = read.sources().get(index);
    context
        .storage()
        .read(read.only(source))
        .whenComplete((done, failure) -> {
          PendingTransfer pending = reads.get(source);
          pending.trace =
              new Trace(source.origin(), RequestOutcome.RETRIED_ALONE, pending.trace.partners());
          listener.carriedOut(pending, Connectors.causeOf(failure));
          retry(read, reads, index + 1, ended);
        });
  }
}
