package org.hyperslab.plugins.compacting.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.plugins.compacting.plan.MergedRead;
import org.hyperslab.plugins.compacting.plan.MergedWrite;
import org.hyperslab.plugins.compacting.plan.Plan;
import org.hyperslab.plugins.compacting.plan.RawRequest;
import org.hyperslab.plugins.compacting.plan.ReadRequest;
import org.hyperslab.plugins.compacting.plan.WriteRequest;
import org.hyperslab.plugins.compacting.report.RequestOutcome;
import org.hyperslab.plugins.compacting.report.Trace;
import org.hyperslab.vol.Connectors;

/**
 * Carries out a plan phase by phase: first the copies and reads, then each wave of writes. Every
 * request of the batch gets exactly one reply.
 *
 * <p>A merged request that fails is repeated for each of its sources, in the order of arrival.
 *
 * <p>Thread rule: {@link #advance} is called by one thread at a time; calls of the storage complete
 * in any thread.
 */
final class BatchRun {

  /** A call of the storage, and the requests that it serves. */
  private sealed interface Call {
    List<? extends RawRequest> sources();
  }

  /** Writes for the same sources. */
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

  /** Reads that are answered entirely from writes, and the copies that answer them. */
  private record CopyCall(List<ReadRequest> sources, List<Plan.Copy> copies) implements Call {}

  /** The least number of bytes to copy for which a separate thread is worthwhile. */
  private static final long COPY_BYTES = 1 << 20;

  private final LaneContext context;
  private final LaneQueue queue;
  private final Runnable resume;
  private final Plan plan;
  private final Map<RawRequest, PendingTransfer> requests;
  private final List<List<Call>> phases = new ArrayList<>();

  /** Copies for reads whose remaining elements come from the storage. */
  private final List<Plan.Copy> partial = new ArrayList<>();

  private final AtomicInteger outstanding = new AtomicInteger();
  private int phase = -1;

  /**
   * Creates a run.
   *
   * @param context the shared parts of all lanes
   * @param queue the requests of the lane
   * @param plan the plan
   * @param requests the pending request for each request of the plan, by identity
   * @param resume called when a phase has ended; must cause another call of {@link #advance}
   */
  BatchRun(
      LaneContext context,
      LaneQueue queue,
      Plan plan,
      Map<RawRequest, PendingTransfer> requests,
      Runnable resume) {
    this.context = context;
    this.queue = queue;
    this.resume = resume;
    this.plan = plan;
    this.requests = requests;
    List<Call> first = new ArrayList<>();
    plan.reads().forEach(read -> first.add(new ReadCall(read)));
    addCopies(first);
    phases.add(first);
    for (List<MergedWrite> wave : plan.waves()) {
      phases.add(calls(wave));
    }
  }

  /** Combines merged writes with the same sources into one call. */
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

  /** Advances as far as possible; returns whether the run has ended. */
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

  /** Issues the last call in this thread, and the others in other threads if available. */
  private void issue(List<Call> calls) {
    outstanding.set(calls.size());
    for (int i = 0; i < calls.size() - 1; i++) {
      Call call = calls.get(i);
      context.threads().execute(() -> issue(call));
    }
    if (!calls.isEmpty()) {
      issue(calls.getLast());
    }
  }

  /** Separates the copies for partly answered reads from those that become their own calls. */
  private void addCopies(List<Call> calls) {
    List<ReadRequest> reads = new ArrayList<>();
    List<Plan.Copy> copies = new ArrayList<>();
    long bytes = 0;
    ReadRequest last = null;
    for (Plan.Copy copy : plan.copies()) {
      ReadRequest read = (ReadRequest) copy.to().request();
      if (requests.get(read).trace.outcome() != RequestOutcome.STOLEN) {
        partial.add(copy);
        continue;
      }
      if (read != last) {
        if (bytes >= COPY_BYTES) {
          calls.add(new CopyCall(reads, copies));
          reads = new ArrayList<>();
          copies = new ArrayList<>();
          bytes = 0;
        }
        reads.add(read);
        last = read;
      }
      copies.add(copy);
      bytes += copy.to().lengthBytes();
    }
    if (!reads.isEmpty()) {
      calls.add(new CopyCall(reads, copies));
    }
  }

  private void answerFromMemory() {
    partial.forEach(this::run);
    for (PendingTransfer request : requests.values()) {
      Trace trace = request.trace;
      if (trace != null && trace.outcome() == RequestOutcome.EMPTY) {
        reply(request, trace, null);
      }
    }
  }

  private CompletionStage<?> runAll(List<Plan.Copy> copies) {
    copies.forEach(this::run);
    return CompletableFuture.completedFuture(null);
  }

  private void run(Plan.Copy copy) {
    try {
      copy.run();
    } catch (RuntimeException inaccessible) {
      PendingTransfer read = requests.get(copy.to().request());
      reply(read, read.trace, inaccessible);
    }
  }

  private void issue(Call call) {
    CompletionStage<?> stage =
        switch (call) {
          case WriteCall write -> writeAll(write.writes());
          case ReadCall read -> context.storage().read(read.read());
          case CopyCall copy -> runAll(copy.copies());
        };
    stage.whenComplete((value, failure) -> completed(call, Connectors.causeOf(failure)));
  }

  /** Issues the last write in this thread, and the others in other threads if available. */
  private CompletionStage<?> writeAll(List<MergedWrite> writes) {
    if (writes.size() == 1) {
      return context.storage().write(writes.getFirst());
    }
    CompletableFuture<?>[] parts = new CompletableFuture<?>[writes.size()];
    for (int i = 0; i < writes.size(); i++) {
      CompletableFuture<Object> part = new CompletableFuture<>();
      parts[i] = part;
      MergedWrite write = writes.get(i);
      Runnable start = () -> write(write, part);
      if (i < writes.size() - 1) {
        context.threads().execute(start);
      } else {
        start.run();
      }
    }
    return CompletableFuture.allOf(parts);
  }

  private void write(MergedWrite write, CompletableFuture<Object> part) {
    context
        .storage()
        .write(write)
        .whenComplete((value, failure) -> {
          if (failure == null) {
            part.complete(null);
          } else {
            part.completeExceptionally(failure);
          }
        });
  }

  private void completed(Call call, Throwable failure) {
    // allOf waits for all parts, even after a failure: then no part is under way.
    if (failure != null && call.sources().size() > 1) {
      retry(call.sources(), 0);
      return;
    }
    for (RawRequest source : call.sources()) {
      PendingTransfer request = requests.get(source);
      reply(request, request.trace, failure);
    }
    endCall();
  }

  private void reply(PendingTransfer request, Trace trace, Throwable failure) {
    Runnable reply = () -> context.replies().finish(request, trace, null, failure);
    if (queue.end(request, reply)) {
      reply.run();
    }
  }

  private void endCall() {
    if (outstanding.decrementAndGet() == 0) {
      resume.run();
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
      case WriteRequest write -> context.storage().write(MergedWrite.of(write));
      case ReadRequest read -> context.storage().read(MergedRead.of(read));
    };
  }

  private void retried(RawRequest source, Throwable failure) {
    PendingTransfer request = requests.get(source);
    Trace trace =
        new Trace(source.origin(), RequestOutcome.RETRIED_ALONE, request.trace.partners());
    if (failure != null) {
      reply(request, trace, Connectors.causeOf(failure));
      return;
    }
    // The whole read came from the storage: copy the elements of queued writes over it again.
    for (Plan.Copy copy : plan.copies()) {
      if (copy.to().request() == source) {
        run(copy);
      }
    }
    reply(request, trace, null);
  }
}
