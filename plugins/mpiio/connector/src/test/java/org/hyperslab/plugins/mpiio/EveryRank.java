package org.hyperslab.plugins.mpiio;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Operation;

/**
 * A connector that executes every operation on every rank of a thread world, each with its own
 * memory, and requires equal results, so that tests for one connector run on several ranks.
 */
final class EveryRank implements Connector {

  private final List<LinkedBlockingQueue<Task<?>>> queues = new ArrayList<>();
  private final List<MpiioConnector> connectors = new ArrayList<>();
  private final Thread world;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** An operation for one rank; none at the end. */
  private record Task<R>(Operation<R> operation, CompletableFuture<R> result) {}

  EveryRank(int ranks, MpiioOptions options) {
    for (int i = 0; i < ranks; i++) {
      queues.add(new LinkedBlockingQueue<>());
      connectors.add(null);
    }
    world =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try {
                ThreadWorld.run(ranks, comm -> serve(comm, options));
                ended.complete(null);
              } catch (RuntimeException | Error e) {
                ended.completeExceptionally(e);
                queues.forEach(this::failAll);
              }
            });
  }

  private void failAll(LinkedBlockingQueue<Task<?>> queue) {
    for (Task<?> task = queue.poll(); task != null; task = queue.poll()) {
      task.result.completeExceptionally(new IllegalStateException("the world has ended"));
    }
  }

  private void serve(Communicator comm, MpiioOptions options) throws InterruptedException {
    try (MpiioConnector connector = MpiioConnector.over(comm, options)) {
      synchronized (connectors) {
        connectors.set(comm.rank(), connector);
      }
      while (true) {
        Task<?> task = queues.get(comm.rank()).take();
        if (task.operation == null) {
          return;
        }
        run(connector, task);
      }
    }
  }

  private static <R> void run(Connector connector, Task<R> task) {
    connector
        .submit(task.operation)
        .whenComplete((value, failure) -> {
          if (failure == null) {
            task.result.complete(value);
          } else {
            task.result.completeExceptionally(Connectors.causeOf(failure));
          }
        });
  }

  @Override
  public String name() {
    return "mpiio";
  }

  @Override
  public Set<Capability> capabilities() {
    return MpiioConnector.inCurrentWorld(MpiioOptions.DEFAULT).capabilities();
  }

  @Override
  @SuppressWarnings("unchecked") // copies of an operation have its type
  public synchronized <R> CompletionStage<R> submit(Operation<R> operation) {
    List<Copy> copies = new ArrayList<>();
    List<CompletableFuture<R>> results = new ArrayList<>();
    for (LinkedBlockingQueue<Task<?>> queue : queues) {
      Copy copy = Copy.of(operation, copies.isEmpty());
      copies.add(copy);
      CompletableFuture<R> result = new CompletableFuture<>();
      results.add(result);
      queue.add(new Task<>((Operation<R>) copy.operation, result));
    }
    if (ended.isDone()) {
      queues.forEach(this::failAll);
    }
    results.forEach(result -> result.handle((value, failure) -> null).join());
    R first = null;
    for (int rank = 0; rank < results.size(); rank++) {
      CompletableFuture<R> result = results.get(rank);
      if (result.isCompletedExceptionally() != results.getFirst().isCompletedExceptionally()) {
        throw new AssertionError(
            operation + ": rank 0 " + results.getFirst() + ", rank " + rank + " " + result);
      }
    }
    if (results.getFirst().isCompletedExceptionally()) {
      return results.getFirst();
    }
    first = results.getFirst().join();
    for (int rank = 1; rank < results.size(); rank++) {
      requireSame(operation, first, results.get(rank).join(), rank);
      copies.get(rank).requireSame(copies.getFirst(), rank);
    }
    copies.getFirst().putBack();
    return CompletableFuture.completedFuture(first);
  }

  private static void requireSame(Operation<?> operation, Object first, Object other, int rank) {
    boolean values = first instanceof Record && !first.toString().contains("MemorySegment");
    if (values ? !first.equals(other) : (first == null) != (other == null)) {
      throw new AssertionError(operation + ": rank 0 " + first + ", rank " + rank + " " + other);
    }
  }

  /** Returns a copy of an operation with its own memory. */
  private record Copy(
      Operation<?> operation,
      DataBuffer original,
      DataBuffer copy,
      boolean reads,
      List<Copy> parts) {

    Copy(Operation<?> operation, DataBuffer original, DataBuffer copy, boolean reads) {
      this(operation, original, copy, reads, List.of());
    }

    Copy(Operation<?> operation, List<Copy> parts) {
      this(operation, null, null, false, parts);
    }

    static Copy of(Operation<?> operation, boolean first) {
      return switch (operation) {
        case DatasetOperation.Read o -> {
          DataBuffer copy = copied(o.target(), first, true);
          yield new Copy(
              new DatasetOperation.Read(o.dataset(), o.transfer(), copy), o.target(), copy, true);
        }
        case DatasetOperation.ReadMulti o -> {
          List<Copy> parts = o.parts().stream().map(part -> of(part, first)).toList();
          var reads = parts.stream().map(part -> (DatasetOperation.Read) part.operation).toList();
          yield new Copy(new DatasetOperation.ReadMulti(reads), parts);
        }
        case DatasetOperation.WriteMulti o -> {
          List<Copy> parts = o.parts().stream().map(part -> of(part, first)).toList();
          var writes = parts.stream().map(part -> (DatasetOperation.Write) part.operation).toList();
          yield new Copy(new DatasetOperation.WriteMulti(writes), parts);
        }
        case AttributeOperation.Read o -> {
          DataBuffer copy = copied(o.target(), first, true);
          yield new Copy(
              new AttributeOperation.Read(o.object(), o.name(), o.memoryType(), copy),
              o.target(),
              copy,
              true);
        }
        case DatasetOperation.Write o -> {
          DataBuffer copy = copied(o.source(), first, false);
          yield new Copy(
              new DatasetOperation.Write(o.dataset(), o.transfer(), copy), null, copy, false);
        }
        case AttributeOperation.Write o -> {
          DataBuffer copy = copied(o.source(), first, false);
          yield new Copy(
              new AttributeOperation.Write(o.object(), o.name(), o.memoryType(), copy),
              null,
              copy,
              false);
        }
        case AttributeOperation.Set o -> {
          DataBuffer copy = copied(o.content().source(), first, false);
          yield new Copy(
              new AttributeOperation.Set(
                  o.object(),
                  o.name(),
                  o.spec(),
                  o.replace(),
                  new AttributeOperation.Content(o.content().memoryType(), copy)),
              null,
              copy,
              false);
        }
        default -> new Copy(operation, null, null, false);
      };
    }

    private static DataBuffer copied(DataBuffer original, boolean first, boolean reads) {
      MemorySegment elements = Arena.ofAuto().allocate(Math.max(1, original.elements().byteSize()));
      elements = elements.asSlice(0, original.elements().byteSize());
      elements.copyFrom(original.elements());
      boolean own = reads && !first && original.heap() != VlenHeap.none();
      return new DataBuffer(elements, own ? new VlenHeap() : original.heap());
    }

    void putBack() {
      parts.forEach(Copy::putBack);
      if (reads && !original.elements().isReadOnly()) {
        original.elements().copyFrom(copy.elements());
      }
    }

    void requireSame(Copy other, int rank) {
      for (int i = 0; i < parts.size(); i++) {
        parts.get(i).requireSame(other.parts.get(i), rank);
      }
      if (reads
          && copy.heap() == VlenHeap.none()
          && copy.elements().mismatch(other.copy.elements()) >= 0) {
        throw new AssertionError(
            operation
                + ": rank "
                + rank
                + " read something else than rank 0, from byte "
                + copy.elements().mismatch(other.copy.elements()));
      }
    }
  }

  @Override
  public void close() {
    queues.forEach(queue -> queue.add(new Task<>(null, new CompletableFuture<>())));
    ended.join();
  }

  /** The rank's connector. */
  MpiioConnector rank(int rank) {
    synchronized (connectors) {
      return connectors.get(rank);
    }
  }
}
