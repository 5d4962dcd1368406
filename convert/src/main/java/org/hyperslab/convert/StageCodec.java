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
 * Applies one of HDF5's filters to byte arrays. Its working memory is reused from chunk to chunk,
 * one for each thread that uses the codec concurrently. It need not be closed, because arrays are
 * shorter than the size beyond which this would be necessary.
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
