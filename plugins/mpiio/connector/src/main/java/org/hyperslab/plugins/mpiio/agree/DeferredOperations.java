package org.hyperslab.plugins.mpiio.agree;

import org.hyperslab.format.store.SharedMemory;
import org.hyperslab.model.FillValue;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TypeOperation;

/**
 * Determines the collective operations that may be deferred: those that only create or set
 * something. The ranks agree on many of them with one exchange of messages, at the latest when a
 * user waits for a result.
 *
 * <p>Thread rule: stateless.
 */
public final class DeferredOperations {

  private DeferredOperations() {}

  /** Returns whether an operation may be deferred; any thread may then read its values. */
  public static boolean contain(Operation<?> operation) {
    return switch (operation) {
      case GroupOperation.Create create -> true;
      case TypeOperation.Commit commit -> true;
      case AttributeOperation.Create create -> true;
      case AttributeOperation.Write write -> SharedMemory.isShared(write.source().elements());
      case AttributeOperation.Set set -> SharedMemory.isShared(set.content().source().elements());
      case DatasetOperation.Create create ->
          !(create.spec().options().fill() instanceof FillValue.Value(var type, var value))
              || SharedMemory.isShared(value.elements());
      default -> false;
    };
  }
}
