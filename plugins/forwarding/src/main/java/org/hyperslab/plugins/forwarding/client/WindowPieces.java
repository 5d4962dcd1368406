package org.hyperslab.plugins.forwarding.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.plugins.codec.TransferParts;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TrackedFuture;

/**
 * Divides transfers that exceed a server's window. Each piece moves a range of the elements in
 * transfer order.
 *
 * <p>Thread rule: stateless.
 */
final class WindowPieces {

  private WindowPieces() {}

  /**
   * {@return the number of bytes that a read or a write moves; 0 for other operations. A write of
   * out-of-line values moves the heap of its source, a read does not know their size.}
   */
  static long bytes(Operation<?> operation) {
    return switch (operation) {
      case DatasetOperation.Read o -> bytes(o.transfer());
      case DatasetOperation.Write o -> Math.addExact(bytes(o.transfer()), heapBytes(o));
      case DatasetOperation.Multi o -> {
        long bytes = 0;
        for (DatasetOperation<Void> part : o.parts()) {
          bytes = Math.addExact(bytes, bytes(part));
        }
        yield bytes;
      }
      default -> 0;
    };
  }

  private static long bytes(Transfer transfer) {
    Dataspace space = transfer.memorySpace();
    if (space.kind() == Dataspace.Kind.NULL) {
      return 0;
    }
    long count = Math.min(transfer.memorySelection().elementCount(space.dims()), Long.MAX_VALUE);
    return Math.multiplyExact(count, (long) transfer.memoryType().size());
  }

  private static long heapBytes(DatasetOperation.Write write) {
    return hasOwnHeap(write) ? write.source().heap().size() : 0;
  }

  private static boolean hasOwnHeap(DatasetOperation.Write write) {
    return write.transfer().memoryType().hasOutOfLineParts();
  }

  /** Cancels the parts of a transfer when the transfer is cancelled. */
  static void cancelWith(TrackedFuture<?> whole, List<? extends CompletableFuture<?>> parts) {
    TrackedFuture.watch(
        whole,
        (done, failure) -> {
          if (whole.isCancelled()) {
            parts.forEach(part -> part.cancel(true));
          }
        });
  }

  /**
   * Divides a read or a write. A piece of a write of out-of-line values has a copy of its own
   * values, made when the stream reaches it.
   *
   * @param operation the read or write
   * @param extent the dataset's extent
   * @param most the largest piece in bytes; an element that is larger makes a larger piece
   * @return the pieces, in the order of transfer
   */
  static Stream<Operation<Void>> of(Operation<?> operation, Dataspace extent, long most) {
    return switch (operation) {
      case DatasetOperation.Read o ->
          TransferParts.of(o.transfer(), extent.dims(), most).stream()
              .map(part -> new DatasetOperation.Read(o.dataset(), part, o.target()));
      case DatasetOperation.Write o when hasOwnHeap(o) ->
          TransferParts.of(o.transfer(), extent.dims(), slotBytes(o, most)).stream()
              .flatMap(part -> withOwnHeaps(o, part, extent.dims(), most));
      case DatasetOperation.Write o ->
          TransferParts.of(o.transfer(), extent.dims(), most).stream()
              .map(part -> new DatasetOperation.Write(o.dataset(), part, o.source()));
      default -> throw new IllegalArgumentException("not a transfer: " + operation);
    };
  }

  /** Returns the bytes of elements, without the heap, in an average piece of {@code most} bytes. */
  private static long slotBytes(DatasetOperation.Write write, long most) {
    double share = (double) bytes(write.transfer()) / bytes(write);
    return Math.max(1, (long) (most * share));
  }

  /** Divides a part again whose values are longer than the average. */
  private static Stream<Operation<Void>> withOwnHeaps(
      DatasetOperation.Write write, Transfer part, long[] extent, long most) {
    DataBuffer own = TransferParts.copyWithOwnHeap(part, write.source());
    long slots = own.elements().byteSize();
    if (slots + own.heap().size() > most && slots > part.memoryType().size()) {
      return TransferParts.of(part, extent, slots / 2).stream()
          .flatMap(half -> withOwnHeaps(write, half, extent, most));
    }
    long count = slots / part.memoryType().size();
    Transfer packed =
        new Transfer(
            part.memoryType(),
            Dataspace.simple(count),
            Selection.all(),
            part.fileSelection(),
            part.options());
    return Stream.of(new DatasetOperation.Write(write.dataset(), packed, own));
  }
}
