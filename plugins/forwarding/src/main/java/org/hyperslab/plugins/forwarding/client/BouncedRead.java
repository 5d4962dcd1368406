package org.hyperslab.plugins.forwarding.client;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.hyperslab.format.store.SharedMemory;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Operation;

/**
 * A read whose target memory only the submitting thread may access. The elements are received in
 * other memory; the submitting thread waits and copies them.
 *
 * @param operation the read into the other memory
 * @param own the memory of the submitting thread
 * @param other the other memory
 * @param <R> the result of the operation
 */
record BouncedRead<R>(Operation<R> operation, MemorySegment own, MemorySegment other) {

  @SuppressWarnings("unchecked") // the same kind of operation
  static <R> Optional<BouncedRead<R>> of(Operation<R> operation) {
    DataBuffer target =
        switch (operation) {
          case DatasetOperation.Read read -> read.target();
          case AttributeOperation.Read read -> read.target();
          default -> null;
        };
    if (target == null || SharedMemory.isShared(target.elements())) {
      return Optional.empty();
    }
    MemorySegment own = target.elements();
    MemorySegment other = Arena.ofAuto().allocate(own.byteSize(), 8).copyFrom(own);
    DataBuffer buffer = new DataBuffer(other, target.heap());
    Operation<?> read =
        switch (operation) {
          case DatasetOperation.Read o ->
              new DatasetOperation.Read(o.dataset(), o.transfer(), buffer);
          case AttributeOperation.Read o ->
              new AttributeOperation.Read(o.object(), o.name(), o.memoryType(), buffer);
          default -> operation;
        };
    return Optional.of(new BouncedRead<>((Operation<R>) read, own, other));
  }

  /** Waits for the read and copies the elements to the thread's memory. */
  CompletableFuture<R> fill(CompletableFuture<R> read) {
    try {
      R value = read.join();
      own.copyFrom(other);
      return CompletableFuture.completedFuture(value);
    } catch (CompletionException e) {
      return read;
    }
  }
}
