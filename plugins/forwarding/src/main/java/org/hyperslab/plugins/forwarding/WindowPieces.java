package org.hyperslab.plugins.forwarding;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.format.space.Dataspace;
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

  /** {@return the number of bytes that a read or a write moves; 0 for other operations} */
  static long bytes(Operation<?> operation) {
    return switch (operation) {
      case DatasetOperation.Read o -> bytes(o.transfer());
      case DatasetOperation.Write o -> bytes(o.transfer());
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
   * Divides a read or a write.
   *
   * @param operation the read or write
   * @param extent the dataset's extent
   * @param most the largest piece in bytes, at least the size of an element
   * @return the pieces
   */
  static List<Operation<Void>> of(Operation<?> operation, Dataspace extent, long most) {
    List<Operation<Void>> pieces = new ArrayList<>();
    switch (operation) {
      case DatasetOperation.Read o -> {
        for (Transfer part : TransferParts.of(o.transfer(), extent.dims(), most)) {
          pieces.add(new DatasetOperation.Read(o.dataset(), part, o.target()));
        }
      }
      case DatasetOperation.Write o -> {
        for (Transfer part : TransferParts.of(o.transfer(), extent.dims(), most)) {
          pieces.add(new DatasetOperation.Write(o.dataset(), part, o.source()));
        }
      }
      default -> throw new IllegalArgumentException("not a transfer: " + operation);
    }
    return pieces;
  }
}
