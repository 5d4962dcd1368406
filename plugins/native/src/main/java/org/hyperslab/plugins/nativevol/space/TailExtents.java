package org.hyperslab.plugins.nativevol.space;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.LongFunction;

/**
 * The movable raw data of a file, found from its end down. A dataset is opened only when the search
 * comes to the greatest end of its space, because a file may have many datasets, of which few are
 * at its end.
 *
 * <p>Thread rule: under the file's write lock.
 */
public final class TailExtents {

  /**
   * A dataset that was not opened yet.
   *
   * @param header the address of its header
   * @param end an address that no extent of it ends after
   */
  private record Unopened(long header, long end) {}

  private final PriorityQueue<Unopened> unopened;
  private final LongFunction<? extends Collection<MovableExtent>> open;
  private final Map<Long, MovableExtent> byEnd = new HashMap<>();

  /**
   * Creates the search.
   *
   * @param ends for each dataset, an address that no extent of it ends after
   * @param open returns the movable extents of the dataset at a header address
   */
  public TailExtents(PlacedEnds ends, LongFunction<? extends Collection<MovableExtent>> open) {
    this.unopened =
        new PriorityQueue<>(
            Math.max(1, ends.size()), Comparator.comparingLong(Unopened::end).reversed());
    ends.forEach((header, end) -> unopened.add(new Unopened(header, end)));
    this.open = open;
  }

  /**
   * Returns the extent that ends at an address, if one does.
   *
   * @param end the address, not greater than that of an earlier call
   */
  Optional<MovableExtent> endingAt(long end) {
    while (!unopened.isEmpty() && unopened.peek().end >= end) {
      for (MovableExtent extent : open.apply(unopened.poll().header)) {
        byEnd.put(extent.address() + extent.sizeBytes(), extent);
      }
    }
    return Optional.ofNullable(byEnd.get(end));
  }
}
