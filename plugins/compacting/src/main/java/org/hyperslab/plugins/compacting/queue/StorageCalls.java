package org.hyperslab.plugins.compacting.queue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hyperslab.plugins.compacting.plan.MergedRead;
import org.hyperslab.plugins.compacting.plan.MergedWrite;

/**
 * Calls the storage layer and counts the calls. Every call returns a stage, even if the layer
 * throws, because every request must get its reply.
 *
 * <p>Thread rule: any thread.
 */
final class StorageCalls {

  private final StorageLayer layer;
  private final CompactorTally tally;

  StorageCalls(StorageLayer layer, CompactorTally tally) {
    this.layer = layer;
    this.tally = tally;
  }

  /** A call that returns a stage, or throws. */
  private interface Call {
    CompletionStage<?> start();
  }

  private static CompletionStage<?> guarded(Call call) {
    try {
      CompletionStage<?> stage = call.start();
      return stage == null ? CompletableFuture.completedFuture(null) : stage;
    } catch (Throwable failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  CompletionStage<?> write(MergedWrite write) {
    tally.issuedWrites.increment();
    tally.issuedBytes.add(write.bytes());
    return guarded(() -> layer.write(write));
  }

  CompletionStage<?> read(MergedRead read) {
    tally.issuedReads.increment();
    tally.issuedBytes.add(read.bytes());
    return guarded(() -> layer.read(read));
  }

  /** Starts the action of an ordered request. */
  static CompletionStage<?> act(OrderedRequest request) {
    return guarded(() -> request.action().get());
  }
}
