package org.hyperslab.plugins.compacting.queue;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.plugins.compacting.plan.DataKey;

/**
 * Finds the lanes of a compactor, and tracks ordered requests that concern several of them.
 *
 * <p>Thread rule: any thread.
 */
final class LaneRegistry {

  /**
   * The dataset number of a key that stands for no dataset. Its lane serves scopes without any
   * other lane.
   */
  private static final long NO_DATASET = Long.MIN_VALUE;

  private final LaneContext context;
  private final Map<DataKey, DatasetLane> lanes = new ConcurrentHashMap<>();

  /** Guards the creation of lanes, and {@code pending}. */
  private final Object registry = new Object();

  /** The unfinished ordered requests that concern several lanes, in the order of arrival. */
  private final Set<PendingOperation> pending = new LinkedHashSet<>();

  LaneRegistry(LaneContext context) {
    this.context = context;
  }

  /** {@return the lane of a dataset, created if necessary} */
  DatasetLane lane(DataKey key) {
    DatasetLane lane = lanes.get(key);
    if (lane != null) {
      return lane;
    }
    List<DatasetLane> starting = new ArrayList<>(1);
    synchronized (registry) {
      lane = lanes.get(key);
      if (lane == null) {
        lane = create(key, starting);
      }
    }
    starting.forEach(DatasetLane::start);
    return lane;
  }

  /** Adds a request to the lane of a dataset. */
  DatasetLane enter(DataKey key, PendingRequest request, boolean here) {
    while (true) {
      DatasetLane lane = lane(key);
      if (lane.enter(request, here)) {
        return lane;
      }
      lanes.remove(key, lane);
    }
  }

  /**
   * Creates a lane that begins with the barriers that concern it; called with the lock on {@code
   * registry}.
   */
  private DatasetLane create(DataKey key, List<DatasetLane> starting) {
    DatasetLane lane = new DatasetLane(context);
    for (PendingOperation operation : pending) {
      if (operation.request.scope().concerns(key) && operation.barrier.expect()) {
        lane.enterBarrier(operation, starting);
      }
    }
    lanes.put(key, lane);
    return lane;
  }

  /**
   * Adds an ordered request to all lanes of its scope.
   *
   * @param operation the request
   * @param action carries it out after all lanes have arrived at its barrier
   */
  void enterAll(PendingOperation operation, Runnable action) {
    OrderScope scope = operation.request.scope();
    DataKey own =
        new DataKey(scope instanceof OrderScope.File file ? file.file() : NO_DATASET, NO_DATASET);
    List<DatasetLane> starting = new ArrayList<>();
    synchronized (registry) {
      if (!lanes.containsKey(own)) {
        create(own, starting);
      }
      pending.add(operation);
      lanes.forEach((key, lane) -> {
        if (scope.concerns(key)) {
          operation.barrier.expect();
          lane.enterBarrier(operation, starting);
        }
      });
    }
    starting.forEach(DatasetLane::start);
    operation.barrier.allExpected(action);
  }

  /** Removes an ordered request that has ended. */
  void ended(PendingOperation operation) {
    synchronized (registry) {
      pending.remove(operation);
    }
  }

  /** Ends the collecting of requests in all lanes. */
  void force() {
    lanes.values().forEach(DatasetLane::force);
  }

  /** Removes the idle lanes of the datasets of a file. */
  void forget(long file) {
    synchronized (registry) {
      lanes.entrySet().removeIf(each -> each.getKey().file() == file && each.getValue().close());
    }
  }
}
