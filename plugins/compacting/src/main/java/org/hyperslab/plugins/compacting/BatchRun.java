package org.hyperslab.plugins.compacting;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.vol.Connectors;

/**
 * Carries out a plan phase by phase: thefts and reads, then each wave of writes. Every entry of the
 * batch gets its reply here, once.
 *
 * <p>A merged request that fails is repeated for each of its sources, in the order of arrival.
 *
 * <p>Thread rule: {@link #advance} is called by whoever turns the lane's motor; calls of the layer
 * complete in any thread.
 */
final class BatchRun {

  /** One call of the layer, and on behalf of whom. */
  private sealed interface Call {
    List<? extends RawRequest> sources();
  }

  /** Writes on behalf of the same sources. */
  private record WriteCall(List<MergedWrite> writes) implements Call {
    @Override
    public List<WriteRequest> sources() {
      return writes.getFirst().sources();
    }
  }

  private record ReadCall(MergedRead read) implements Call {
    @Override
    public List<ReadRequest> sources() {
      return read.sources();
    }
  }

  /** Reads that are wholly answered from writes, and the copies that do it. */
  private record StealCall(List<ReadRequest> sources, List<Plan.Theft> thefts) implements Call {}

  /** Copies of so many bytes are worth a thread of their own. */
  private static final long STEAL_BYTES = 1 << 20;

  private final Compactor owner;
  private final Lane lane;
  private final Plan plan;
  private final Map<RawRequest, Entry> entries;
  private final List<List<Call>> phases = new ArrayList<>();

  /** Copies for reads of which the storage gives the rest. */
  private final List<Plan.Theft> partial = new ArrayList<>();

  private final AtomicInteger outstanding = new AtomicInteger();
  private int phase = -1;

  /**
   * A run that is about to start.
   *
   * @param entries the entry of each request, by identity
   */
  BatchRun(Compactor owner, Lane lane, Plan plan, Map<RawRequest, Entry> entries) {
    this.owner = owner;
    this.lane = lane;
    this.plan = plan;
    this.entries = entries;
    List<Call> first = new ArrayList<>();
    plan.reads().forEach(read -> first.add(new ReadCall(read)));
    addSteals(first);
    phases.add(first);
    for (List<MergedWrite> wave : plan.waves()) {
      phases.add(calls(wave));
    }
  }

  /** Merged writes with the same sources are one call. */
  private static List<Call> calls(List<MergedWrite> wave) {
    List<Call> calls = new ArrayList<>();
    int from = 0;
    for (int to = 1; to <= wave.size(); to++) {
      if (to == wave.size() || wave.get(to).sources() != wave.get(from).sources()) {
        calls.add(new WriteCall(wave.subList(from, to)));
        from = to;
      }
    }
    return calls;
  }

  /** Goes as far as it can; true when all is done. Called again when a phase has ended. */
  boolean advance() {
    while (outstanding.get() == 0) {
      phase++;
      if (phase == phases.size()) {
        return true;
      }
      if (phase == 0) {
        answerFromMemory();
      }
      issue(phases.get(phase));
    }
    return false;
  }

  /** All calls but the last go to other threads, if there are others. */
  private void issue(List<Call> calls) {
    outstanding.set(calls.size());
    for (int i = 0; i < calls.size() - 1; i++) {
      Call call = calls.get(i);
      owner.execute(() -> issue(call));
    }
    if (!calls.isEmpty()) {
      issue(calls.getLast());
    }
  }

  /** What concerns reads that are answered in part is copied now; the rest is calls of its own. */
  private void addSteals(List<Call> calls) {
    List<ReadRequest> reads = new ArrayList<>();
    List<Plan.Theft> thefts = new ArrayList<>();
    long bytes = 0;
    ReadRequest last = null;
    for (Plan.Theft theft : plan.thefts()) {
      ReadRequest read = (ReadRequest) theft.to().request();
      if (entries.get(read).trace.treatment() != Treatment.STOLEN) {
        partial.add(theft);
        continue;
      }
      if (read != last) {
        if (bytes >= STEAL_BYTES) {
          calls.add(new StealCall(reads, thefts));
          reads = new ArrayList<>();
          thefts = new ArrayList<>();
          bytes = 0;
        }
        reads.add(read);
        last = read;
      }
      thefts.add(theft);
      bytes += theft.to().lengthBytes();
    }
    if (!reads.isEmpty()) {
      calls.add(new StealCall(reads, thefts));
    }
  }

  private void answerFromMemory() {
    partial.forEach(this::steal);
    for (Entry entry : entries.values()) {
      Trace trace = entry.trace;
      if (trace != null && trace.treatment() == Treatment.EMPTY) {
        owner.succeed(lane, entry, trace);
      }
    }
  }

  private CompletionStage<?> stealAll(List<Plan.Theft> thefts) {
    thefts.forEach(this::steal);
    return CompletableFuture.completedFuture(null);
  }

  private void steal(Plan.Theft theft) {
    try {
      theft.copy();
    } catch (RuntimeException inaccessible) {
      Entry entry = entries.get(theft.to().request());
      owner.fail(lane, entry, entry.trace, inaccessible);
    }
  }

  private void issue(Call call) {
    CompletionStage<?> stage =
        switch (call) {
          case WriteCall write -> writeAll(write.writes());
          case ReadCall read -> owner.read(read.read());
          case StealCall steal -> stealAll(steal.thefts());
        };
    stage.whenComplete((value, failure) -> completed(call, Connectors.causeOf(failure)));
  }

  /** All but the last go to other threads, if there are others. */
  private CompletionStage<?> writeAll(List<MergedWrite> writes) {
    if (writes.size() == 1) {
      return owner.write(writes.getFirst());
    }
    CompletableFuture<?>[] parts = new CompletableFuture<?>[writes.size()];
    for (int i = 0; i < writes.size(); i++) {
      CompletableFuture<Object> part = new CompletableFuture<>();
      parts[i] = part;
      MergedWrite write = writes.get(i);
      Runnable start =
          () ->
              owner
                  .write(write)
                  .whenComplete((value, failure) -> {
                    if (failure == null) {
                      part.complete(null);
                    } else {
                      part.completeExceptionally(failure);
                    }
                  });
      if (i < writes.size() - 1) {
        owner.execute(start);
      } else {
        start.run();
      }
    }
    return CompletableFuture.allOf(parts);
  }

  private void completed(Call call, Throwable failure) {
    // allOf waits for all parts, also when one has failed: nothing is under way any more.
    if (failure != null && call.sources().size() > 1) {
      retry(call.sources(), 0);
      return;
    }
    for (RawRequest source : call.sources()) {
      Entry entry = entries.get(source);
      if (failure == null) {
        owner.succeed(lane, entry, entry.trace);
      } else {
        owner.fail(lane, entry, entry.trace, failure);
      }
    }
    endCall();
  }

  private void endCall() {
    if (outstanding.decrementAndGet() == 0) {
      lane.proceed();
    }
  }

  /** Carries out the sources one by one, in the order of arrival. */
  private void retry(List<? extends RawRequest> sources, int first) {
    for (int i = first; i < sources.size(); i++) {
      RawRequest source = sources.get(i);
      CompletableFuture<?> alone = carryOut(source).toCompletableFuture();
      if (!alone.isDone()) {
        int next = i + 1;
        alone.whenComplete((value, failure) -> {
          retried(source, failure);
          retry(sources, next);
        });
        return;
      }
      retried(source, alone.isCompletedExceptionally() ? alone.exceptionNow() : null);
    }
    endCall();
  }

  private CompletionStage<?> carryOut(RawRequest source) {
    return switch (source) {
      case WriteRequest write -> owner.write(WriteMerging.single(write));
      case ReadRequest read -> owner.read(ReadMerging.single(read));
    };
  }

  private void retried(RawRequest source, Throwable failure) {
    Entry entry = entries.get(source);
    Trace trace = new Trace(source.origin(), Treatment.RETRIED_ALONE, entry.trace.partners());
    if (failure != null) {
      owner.fail(lane, entry, trace, Connectors.causeOf(failure));
      return;
    }
    // The whole of a read came from the storage: what was stolen is stolen again.
    for (Plan.Theft theft : plan.thefts()) {
      if (theft.to().request() == source) {
        steal(theft);
      }
    }
    owner.succeed(lane, entry, trace);
  }
}
