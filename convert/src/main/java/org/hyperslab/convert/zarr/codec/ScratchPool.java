package org.hyperslab.convert.zarr.codec;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.hyperslab.format.filter.FilterScratch;

/**
 * Working memory of filters that is reused from chunk to chunk, one for each thread that needs it
 * at the same time. It need not be closed, because arrays are shorter than the size beyond which
 * this would be necessary.
 *
 * <p>Thread rule: any thread.
 */
final class ScratchPool {

  private final ConcurrentLinkedQueue<FilterScratch> free = new ConcurrentLinkedQueue<>();

  /** Returns what an action returns that has working memory to itself. */
  <T> T with(Function<FilterScratch, T> action) {
    FilterScratch kept = free.poll();
    FilterScratch scratch = kept == null ? new FilterScratch() : kept;
    try {
      return action.apply(scratch);
    } finally {
      free.add(scratch);
    }
  }
}
