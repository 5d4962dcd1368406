package org.hyperslab.convert.zarr.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.hyperslab.format.filter.FilterPipeline;
import org.hyperslab.format.filter.FilterRegistry;
import org.hyperslab.format.filter.FilterStage;
import org.hyperslab.format.filter.StoredChunk;

/**
 * Applies one of HDF5's filters to byte arrays.
 *
 * <p>Thread rule: any thread.
 */
public final class StageCodec {

  private final FilterPipeline pipeline;
  private final ScratchPool scratches = new ScratchPool();

  public StageCodec(FilterStage stage) {
    this.pipeline = FilterPipeline.of(List.of(stage), FilterRegistry.standard());
  }

  /** Returns the decoded bytes of a chunk, of which there must be as many as expected. */
  public byte[] decode(byte[] encoded, int expected, String file) {
    StoredChunk stored = new StoredChunk(MemorySegment.ofArray(encoded), 0, file, 0);
    return scratches.with(scratch -> bytes(pipeline.decode(stored, expected, scratch)));
  }

  /**
   * Decodes bytes to where they belong.
   *
   * @param target as long as the decoded bytes; any other length is an error
   */
  public void decode(byte[] encoded, MemorySegment target, String file) {
    StoredChunk stored = new StoredChunk(MemorySegment.ofArray(encoded), 0, file, 0);
    scratches.with(scratch -> {
      pipeline.decode(stored, target, scratch);
      return target;
    });
  }

  /**
   * Decodes bytes to check them.
   *
   * @throws org.hyperslab.error.CorruptFileException if they are not an encoding of {@code
   *     expected} bytes
   */
  public void check(MemorySegment encoded, int expected, String file) {
    StoredChunk stored = new StoredChunk(encoded, 0, file, 0);
    scratches.with(scratch -> pipeline.decode(stored, expected, scratch).byteSize());
  }

  byte[] encode(byte[] bytes) {
    MemorySegment segment = MemorySegment.ofArray(bytes);
    return scratches.with(scratch -> bytes(pipeline.encode(segment, scratch).bytes()));
  }

  private static byte[] bytes(MemorySegment content) {
    return content.toArray(ValueLayout.JAVA_BYTE);
  }
}
