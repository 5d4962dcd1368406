package org.hyperslab.plugins.compacting;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.vol.Connectors;

/**
 * Reads of what nothing ahead of them is still to write: they go to the storage past the queue, and
 * those that come while others wait for a thread, or for two rounds that are under way, go
 * together.
 *
 * <p>Thread rule: any thread.
 */
final class AheadReads {

  private static final int MOST_ROUNDS = 2;

  private final Compactor owner;
  private final Lane lane;

  // Guarded by this.
  private final List<Waiting> gathering = new ArrayList<>();
  private int rounds;
  private boolean starting;

  /** A read, and what is left of it. */
  private record Waiting(Entry entry, Ahead ahead) {
    ReadMerging.Left left(int order) {
      ReadRequest read = (ReadRequest) entry.request;
      return new ReadMerging.Left(order, read, ahead.left(), ahead.rest());
    }
  }

  AheadReads(Compactor owner, Lane lane) {
    this.owner = owner;
    this.lane = lane;
  }

  /** Takes a read in, whose copies have been made. */
  void add(Entry entry, Ahead ahead) {
    entry.trace =
        new Trace(
            entry.request.origin(),
            ahead.thefts().isEmpty() ? Treatment.PASSED_BY : Treatment.PARTLY_STOLEN,
            ahead.writes().stream()
                .limit(Trace.MAX_PARTNERS)
                .map(each -> each.request.origin())
                .toList());
    synchronized (this) {
      gathering.add(new Waiting(entry, ahead));
    }
    start();
  }

  private void start() {
    synchronized (this) {
      if (starting || rounds == MOST_ROUNDS || gathering.isEmpty()) {
        return;
      }
      starting = true;
      rounds++;
    }
    owner.executeFirst(this::readOn);
  }

  /** Reads what has gathered. */
  private void readOn() {
    Map<RawRequest, Entry> entries = new IdentityHashMap<>();
    List<ReadMerging.Left> lefts = new ArrayList<>();
    synchronized (this) {
      starting = false;
      // The same value twice goes one after the other, or the replies could not be told apart.
      gathering.removeIf(each -> {
        boolean first = entries.putIfAbsent((RawRequest) each.entry.request, each.entry) == null;
        if (first) {
          lefts.add(each.left(lefts.size()));
        }
        return first;
      });
    }
    start(); // what is there twice
    List<MergedRead> reads = merge(lefts);
    AtomicInteger outstanding = new AtomicInteger(reads.size());
    Runnable ended =
        () -> {
          if (outstanding.decrementAndGet() == 0) {
            synchronized (this) {
              rounds--;
            }
            start();
          }
        };
    for (MergedRead read : reads.subList(1, reads.size())) {
      owner.executeFirst(() -> carryOut(read, entries, ended));
    }
    carryOut(reads.getFirst(), entries, ended);
  }

  /** Merged; or, for selections too involved to be united, each by itself. */
  private List<MergedRead> merge(List<ReadMerging.Left> lefts) {
    try {
      return ReadMerging.merge(lefts, owner.options());
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError tooInvolved) {
      return lefts.stream().map(ReadMerging::alone).toList();
    }
  }

  private void carryOut(MergedRead read, Map<RawRequest, Entry> entries, Runnable ended) {
    owner
        .read(read)
        .whenComplete((done, failure) -> {
          if (failure != null && read.sources().size() > 1) {
            retry(read, entries, 0, ended);
            return;
          }
          for (ReadRequest source : read.sources()) {
            reply(entries.get(source), failure);
          }
          ended.run();
        });
  }

  /** Each of the sources by itself, so that each has its own failure only. */
  private void retry(MergedRead read, Map<RawRequest, Entry> entries, int index, Runnable ended) {
    if (index == read.sources().size()) {
      ended.run();
      return;
    }
    ReadRequest source = read.sources().get(index);
    owner
        .read(read.only(source))
        .whenComplete((done, failure) -> {
          Entry entry = entries.get(source);
          entry.trace = new Trace(source.origin(), Treatment.RETRIED_ALONE, entry.trace.partners());
          reply(entry, failure);
          retry(read, entries, index + 1, ended);
        });
  }

  private void reply(Entry entry, Throwable failure) {
    owner.passed(lane, entry, entry.trace, null, Connectors.causeOf(failure));
  }
}
