package org.hyperslab.plugins.nativevol.group;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.filter.FilterPipeline;
import org.hyperslab.format.filter.FilterScratch;
import org.hyperslab.format.filter.FilterStage;
import org.hyperslab.format.filter.StoredChunk;
import org.hyperslab.format.header.FilterPipelineMessage;
import org.hyperslab.format.index.fractal.HeapFilter;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.plugins.nativevol.file.NativeFile;

/** Reverses the filters of a group's fractal heap. */
final class FilteredHeap implements HeapFilter {

  private final NativeFile file;

  FilteredHeap(NativeFile file) {
    this.file = file;
  }

  @Override
  public byte[] decode(byte[] pipeline, int mask, byte[] stored, int decodedBytes) {
    MetadataReader reader =
        new MetadataReader(
            file.geometry(),
            "filter pipeline of fractal heap",
            pipeline,
            CorruptFileException.NO_OFFSET);
    List<FilterStage> stages = new ArrayList<>();
    for (FilterPipelineMessage.Filter filter : FilterPipelineMessage.decode(reader).filters()) {
      stages.add(
          new FilterStage(filter.id(), filter.optional(), filter.name(), filter.parameters()));
    }
    byte[] decoded = new byte[decodedBytes];
    try (FilterScratch scratch = new FilterScratch()) {
      StoredChunk chunk =
          new StoredChunk(
              MemorySegment.ofArray(stored), mask, file.name(), CorruptFileException.NO_OFFSET);
      FilterPipeline.of(stages).decode(chunk, MemorySegment.ofArray(decoded), scratch);
    }
    return decoded;
  }
}
