package org.hyperslab.convert;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.hyperslab.format.filter.FilterPipeline;
import org.hyperslab.format.filter.FilterRegistry;
import org.hyperslab.format.filter.FilterScratch;
import org.hyperslab.format.filter.FilterStage;
import org.hyperslab.format.filter.StoredChunk;

/**
 * One of HDF5's filters as a codec of byte arrays. Its working memory is kept from chunk to chunk,
 * as many times as threads have used it at once; it is never of the size beyond which it would have
 * to be closed, for arrays end before.
 *
 * <p>Thread rule: any thread.
 */
final class StageCodec {

  private final FilterPipeline pipeline;
  private final ConcurrentLinkedQueue<FilterScratch> scratches = new ConcurrentLinkedQueue<>();

  StageCodec(FilterStage stage) {
    this.pipeline = FilterPipeline.of(List.of(stage), FilterRegistry.standard());
  }

  byte[] decode(byte[] encoded, int expected, String file) {
    StoredChunk stored = new StoredChunk(MemorySegment.ofArray(encoded), 0, file, 0);
    return withScratch(scratch -> pipeline.decode(stored, expected, scratch));
  }

  byte[] encode(byte[] bytes) {
    MemorySegment segment = MemorySegment.ofArray(bytes);
    return withScratch(scratch -> pipeline.encode(segment, scratch).bytes());
  }

  private byte[] withScratch(Function<FilterScratch, MemorySegment> action) {
    FilterScratch kept = scratches.poll();
    FilterScratch scratch = kept == null ? new FilterScratch() : kept;
    try {
      return action.apply(scratch).toArray(ValueLayout.JAVA_BYTE);
    } finally {
      scratches.add(scratch);
    }
  }
}
