package org.hyperslab.format.filter;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * Checks that an encoded chunk is what the filters should have made of its elements, before it is
 * stored: filters and the memory that they share with other code may be at fault.
 *
 * <p>The encoded bytes are decoded again, and the checksum of the result is compared with that of
 * the elements before they were encoded. A filter that loses something ({@link Filter#isLossless})
 * cannot be undone. Then the stages up to the last such filter are executed a second time, and the
 * encoded bytes are decoded as far as their result.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class WriteCheck {

  private static final long SLICE_BYTES = 1L << 30;

  /** The largest chunk that is copied to find the filter at fault, in bytes. */
  private static final long LARGEST_TRIED_BYTES = 1L << 29;

  private final FilterPipeline pipeline;
  private final MemorySegment chunk;
  private final int checksum;

  private WriteCheck(FilterPipeline pipeline, MemorySegment chunk) {
    this.pipeline = pipeline;
    this.chunk = chunk;
    this.checksum = checksum(chunk);
  }

  /**
   * Begins a check. Call it before the chunk is encoded.
   *
   * @param pipeline the filters
   * @param chunk the bytes of the chunk, unchanged until {@link #require} returns
   * @return the check
   */
  public static WriteCheck begin(FilterPipeline pipeline, MemorySegment chunk) {
    return new WriteCheck(pipeline, chunk);
  }

  /**
   * Requires that the encoded bytes are those of the chunk.
   *
   * @param stored the bytes that are going to be stored, with the file for messages
   * @param what the chunk, for messages
   * @param scratch working memory of the calling thread, which does not hold the stored bytes
   * @throws UnsupportedFeatureException if they are not; it names the filter that is at fault, if
   *     the fault can be repeated
   */
  public void require(StoredChunk stored, Supplier<String> what, FilterScratch scratch) {
    String problem = problem(stored, scratch);
    if (problem != null) {
      throw new UnsupportedFeatureException(
          what.get()
              + ": actual="
              + problem
              + ", expected=the elements that were encoded, at="
              + stored.file()
              + "; this chunk was not stored; "
              + cause(stored.filterMask(), scratch));
    }
  }

  /** Returns what is wrong; null if nothing is. */
  private String problem(StoredChunk stored, FilterScratch scratch) {
    try (FilterScratch second = new FilterScratch()) {
      int kept = stages(stored.filterMask());
      MemorySegment expected = chunk;
      int sum = checksum;
      if (kept > 0) {
        EncodedChunk again = pipeline.part(0, kept).encode(chunk, second);
        if (again.filterMask() != (stored.filterMask() & below(kept))) {
          return "other filters skipped when it was encoded again";
        }
        expected = again.bytes();
        sum = checksum(expected);
      }
      MemorySegment actual =
          pipeline
              .part(kept, pipeline.stages().size())
              .decode(
                  new StoredChunk(
                      stored.bytes(),
                      stored.filterMask() >>> kept,
                      stored.file(),
                      stored.address()),
                  expected.byteSize(),
                  scratch);
      if (checksum(actual) == sum && checksum(chunk) == checksum) {
        return null;
      }
      long at = expected.mismatch(actual);
      return at < 0 ? "elements that changed meanwhile" : "other bytes from byte " + at;
    } catch (HyperslabException failure) {
      return "undecodable bytes (" + failure.getMessage() + ")";
    }
  }

  /**
   * Returns how many stages have to be executed again: those up to the last that loses something.
   */
  private int stages(int mask) {
    int last = 0;
    for (int i = 0; i < pipeline.stages().size(); i++) {
      if ((mask & (1 << i)) == 0 && !pipeline.isLossless(i)) {
        last = i + 1;
      }
    }
    return last;
  }

  private static int below(int stages) {
    return stages == FilterPipeline.MAXIMUM_STAGES ? -1 : (1 << stages) - 1;
  }

  /** Returns which filter fails if each is tried alone, or what else may be the cause. */
  private String cause(int mask, FilterScratch scratch) {
    if (chunk.byteSize() > LARGEST_TRIED_BYTES) {
      return "it is too large to try each filter alone";
    }
    MemorySegment input = copy(chunk);
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < pipeline.stages().size(); i++) {
      if ((mask & (1 << i)) != 0) {
        continue;
      }
      names.append(names.isEmpty() ? "" : ", ").append(pipeline.describe(i));
      MemorySegment output = attempt(i, input, scratch);
      if (output == null) {
        return "filter "
            + pipeline.describe(i)
            + " does not restore what it encodes; do not use it, or let its isLossless say so";
      }
      input = output;
    }
    return "each filter ("
        + names
        + ") restores these elements when it is tried again: the JVM or the memory of this machine"
        + " may be at fault";
  }

  /** Returns the result of a stage; null if the stage fails again. */
  private MemorySegment attempt(int i, MemorySegment input, FilterScratch scratch) {
    FilterPipeline one = pipeline.part(i, i + 1);
    try {
      MemorySegment output = copy(one.encode(input, scratch).bytes());
      MemorySegment again =
          one.isLossless(0)
              ? one.decode(new StoredChunk(output, 0, "", 0), input.byteSize(), scratch)
              : one.encode(input, scratch).bytes();
      return (one.isLossless(0) ? input : output).mismatch(again) < 0 ? output : null;
    } catch (HyperslabException failure) {
      return null;
    }
  }

  private static MemorySegment copy(MemorySegment bytes) {
    return MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE));
  }

  private static int checksum(MemorySegment bytes) {
    CRC32C sum = new CRC32C();
    for (long at = 0; at < bytes.byteSize(); at += SLICE_BYTES) {
      long length = Math.min(SLICE_BYTES, bytes.byteSize() - at);
      sum.update(bytes.asSlice(at, length).asByteBuffer());
    }
    return (int) sum.getValue();
  }
}
