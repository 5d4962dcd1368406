package org.hyperslab.plugins.forwarding.client;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.store.SharedMemory;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.vol.DatasetOperation;

/**
 * Decides which datasets can be divided among several servers.
 *
 * <p>Thread rule: stateless.
 */
final class Striping {

  private Striping() {}

  /** {@return whether a dataset with a given specification may be divided} */
  static boolean maySpread(DatasetOperation.Spec spec, long stripeBytes) {
    boolean contiguous =
        switch (spec.options().layout()) {
          case Layout.Auto _ -> !spec.space().isExtendible() && spec.options().filters().isEmpty();
          case Layout.Contiguous _ -> true;
          case Layout.Virtual _ -> true; // not divided, but transfers must know that it is virtual
          case Layout.Compact _, Layout.Chunked _, Layout.External _ -> false;
        };
    return contiguous
        && spec.space().kind() == Dataspace.Kind.SIMPLE
        && !spec.type().hasOutOfLineParts()
        && (spec.options().layout() instanceof Layout.Virtual
            || spec.space().elementCount() > stripeBytes / spec.type().size());
  }

  /**
   * Returns the creation with early allocation, so that other servers can be sent the dataset's
   * address.
   */
  static DatasetOperation.Create allocated(DatasetOperation.Create create, long stripeBytes) {
    DatasetOperation.Spec spec = create.spec();
    if (!maySpread(spec, stripeBytes)
        || spec.options().layout() instanceof Layout.Virtual
        || spec.options().allocationTime() != AllocationTime.DEFAULT) {
      return create;
    }
    return create.withSpec(
        new DatasetOperation.Spec(
            spec.type(),
            spec.committedType(),
            spec.space(),
            spec.options().toBuilder().allocationTime(AllocationTime.EARLY).build()));
  }

  /** {@return whether a transfer is valid and moves at least one element} */
  static boolean fits(DatasetOperation<Void> operation, DatasetInfo info) {
    try {
      DataBuffer buffer =
          operation instanceof DatasetOperation.Write write
              ? write.source()
              : ((DatasetOperation.Read) operation).target();
      return StripedDataset.Division.transfer(operation).requireFits(info.space(), buffer) > 0;
    } catch (InvalidUseException | ArithmeticException wrong) {
      return false;
    }
  }

  /** Copies the elements of a write if only the calling thread may access them. */
  static DatasetOperation<Void> movable(DatasetOperation<Void> operation) {
    if (!(operation instanceof DatasetOperation.Write write)
        || SharedMemory.isShared(write.source().elements())) {
      return operation;
    }
    MemorySegment own = write.source().elements();
    MemorySegment copy = Arena.ofAuto().allocate(own.byteSize(), 8).copyFrom(own);
    return new DatasetOperation.Write(
        write.dataset(), write.transfer(), new DataBuffer(copy, write.source().heap()));
  }
}
