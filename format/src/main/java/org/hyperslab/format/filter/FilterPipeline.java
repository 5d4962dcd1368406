package org.hyperslab.format.filter;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * The filters of one dataset, in the order in which encoding applies them; decoding applies them in
 * reverse order. There are at most 32, one for each bit of a chunk's filter mask.
 *
 * <p>A stage whose filter is not available is kept, and causes an error only when a chunk needs it.
 *
 * <p>Thread rule: immutable; one pipeline serves many threads, each with its own {@link
 * FilterScratch}.
 */
public final class FilterPipeline {

  /** The greatest number of stages that a filter mask can distinguish. */
  public static final int MAXIMUM_STAGES = 32;

  /** The pipeline without filters: stored bytes equal the chunk's bytes. */
  public static final FilterPipeline NONE = new FilterPipeline(List.of(), List.of());

  private final List<FilterStage> stages;
  private final Filter[] filters;
  private final int[][] clientData;

  private FilterPipeline(List<FilterStage> stages, List<Filter> filters) {
    this.stages = List.copyOf(stages);
    this.filters = filters.toArray(new Filter[0]);
    this.clientData = stages.stream().map(FilterStage::clientDataArray).toArray(int[][]::new);
  }

  /**
   * {@return the pipeline of {@code stages}}
   *
   * @param stages the stages, in the order of encoding
   * @param registry finds the filters
   * @throws InvalidUseException if there are more than 32
   */
  public static FilterPipeline of(List<FilterStage> stages, FilterRegistry registry) {
    if (stages.isEmpty()) {
      return NONE;
    }
    if (stages.size() > MAXIMUM_STAGES) {
      throw new InvalidUseException(
          "too many filters: actual="
              + stages.size()
              + ", expected=at most "
              + MAXIMUM_STAGES
              + "; leave some out");
    }
    List<Filter> found = new ArrayList<>();
    for (FilterStage stage : stages) {
      found.add(registry.find(stage.id()).orElse(null));
    }
    return new FilterPipeline(stages, found);
  }

  /**
   * {@return the pipeline of {@code stages} with the filters of {@link FilterRegistry#standard}}
   *
   * @param stages the stages, in the order of encoding
   */
  public static FilterPipeline of(List<FilterStage> stages) {
    return of(stages, FilterRegistry.standard());
  }

  /** {@return the stages, in encoding order} */
  public List<FilterStage> stages() {
    return stages;
  }

  /** {@return whether there are no stages} */
  public boolean isEmpty() {
    return stages.isEmpty();
  }

  /**
   * {@return this pipeline with each stage's client data computed for a new dataset} An optional
   * filter that is not available here is kept, and is not applied to chunks. An optional filter
   * that cannot be applied to it is omitted, as in the HDF5 library.
   *
   * @param context the properties of the dataset that the filters need
   * @throws InvalidUseException if a mandatory filter cannot be applied to such a dataset, or a
   *     parameter of any filter is out of range
   * @throws UnsupportedFeatureException if a mandatory filter is not available or cannot encode
   */
  public FilterPipeline configured(FilterContext context) {
    List<FilterStage> kept = new ArrayList<>();
    List<Filter> keptFilters = new ArrayList<>();
    for (int i = 0; i < filters.length; i++) {
      FilterStage stage = stages.get(i);
      boolean usable = filters[i] != null && filters[i].canEncode();
      if (!usable && !stage.optional()) {
        throw FilterRegistry.unavailable(stage, filters[i] == null ? "found" : "able to encode");
      }
      if (!usable) {
        kept.add(stage);
        keptFilters.add(filters[i]);
        continue;
      }
      filters[i].checkParameters(clientData[i].clone(), context);
      try {
        int[] values = filters[i].configure(clientData[i].clone(), context);
        kept.add(stage.withClientData(values));
        keptFilters.add(filters[i]);
      } catch (InvalidUseException inapplicable) {
        if (!stage.optional()) {
          throw inapplicable;
        }
      }
    }
    return kept.isEmpty() ? NONE : new FilterPipeline(kept, keptFilters);
  }

  /**
   * Encodes a chunk. Optional stages that fail are skipped, as in the HDF5 library; a result larger
   * than its input is stored as it is, unless the library's filter would fail in that case.
   *
   * @param chunk the bytes of the chunk
   * @param scratch the working memory of the calling thread
   * @return the encoded bytes and the filter mask
   * @throws InvalidUseException if a mandatory filter cannot encode the chunk
   * @throws UnsupportedFeatureException if a mandatory filter is not available
   */
  public EncodedChunk encode(MemorySegment chunk, FilterScratch scratch) {
    MemorySegment current = chunk;
    int mask = 0;
    int slot = 0;
    for (int i = 0; i < filters.length; i++) {
      FilterOutput out = new FilterOutput(scratch, slot, encodedLimit(i, current), null);
      MemorySegment encoded = encodeStage(i, current, out);
      if (encoded == null) {
        mask |= 1 << i;
      } else {
        current = encoded;
        slot = out.passed() ? slot : 1 - slot;
      }
    }
    return new EncodedChunk(current, mask);
  }

  /**
   * Returns some of the stages.
   *
   * @param from the first stage
   * @param to one more than the last
   */
  FilterPipeline part(int from, int to) {
    return from == to
        ? NONE
        : new FilterPipeline(stages.subList(from, to), Arrays.asList(filters).subList(from, to));
  }

  /** Returns whether decoding undoes stage i exactly. */
  boolean isLossless(int i) {
    return filters[i] == null || filters[i].isLossless(clientData[i].clone());
  }

  /** Returns the greatest number of bytes that stage i may produce. */
  private long encodedLimit(int i, MemorySegment source) {
    Filter filter = filters[i];
    long length = source.byteSize();
    if (filter == null || (stages.get(i).optional() && filter.failsOnGrowth())) {
      return length - 1;
    }
    return filter.maximumEncodedBytes(length, clientData[i]);
  }

  /** Returns the source encoded by stage i, or null if the stage is skipped. */
  private MemorySegment encodeStage(int i, MemorySegment source, FilterOutput out) {
    Filter filter = filters[i];
    FilterStage stage = stages.get(i);
    if (filter == null || !filter.canEncode()) {
      if (stage.optional()) {
        return null;
      }
      throw FilterRegistry.unavailable(stage, filter == null ? "found" : "able to encode");
    }
    String problem = "the data does not become smaller";
    Exception cause = null;
    try {
      long made = filter.encode(source, clientData[i], out);
      if (made != Filter.DECLINED) {
        return out.result(made);
      }
    } catch (HyperslabException typed) {
      throw typed;
    } catch (MalformedDataException | RuntimeException failure) {
      problem = String.valueOf(failure.getMessage());
      cause = failure;
    }
    if (stage.optional()) {
      return null;
    }
    throw new InvalidUseException(
        "filter "
            + describe(i)
            + " cannot encode a chunk: actual="
            + problem
            + ", expected=encoded bytes; make the filter optional or choose another",
        cause);
  }

  /**
   * Decodes a stored chunk into {@code target}, whose size is that of the chunk.
   *
   * @param stored the stored bytes and their filter mask
   * @param target receives the bytes; its size determines the expected number
   * @param scratch the working memory of the calling thread
   * @throws CorruptFileException if the stored bytes cannot be decoded to exactly that many bytes
   * @throws UnsupportedFeatureException if a filter that was applied is not available
   */
  public void decode(StoredChunk stored, MemorySegment target, FilterScratch scratch) {
    decode(stored, target.byteSize(), target, scratch);
  }

  /**
   * Decodes a stored chunk that may end behind its last element within the extent, as some programs
   * write it.
   *
   * @param stored the stored bytes and their filter mask
   * @param leastBytes the least number of bytes that the chunk must have
   * @param target receives the bytes; its size is that of the chunk
   * @param scratch the working memory of the calling thread
   * @return the number of bytes decoded, at least {@code leastBytes}; the rest of {@code target}
   *     has unspecified content
   * @throws CorruptFileException if the stored bytes cannot be decoded to so many bytes
   * @throws UnsupportedFeatureException if a filter that was applied is not available
   */
  public long decode(
      StoredChunk stored, long leastBytes, MemorySegment target, FilterScratch scratch) {
    MemorySegment decoded = run(stored, leastBytes, target.byteSize(), target, scratch);
    if (!decoded.equals(target)) {
      target.asSlice(0, decoded.byteSize()).copyFrom(decoded);
    }
    return decoded.byteSize();
  }

  /**
   * Decodes a stored chunk.
   *
   * @param stored the stored bytes and their filter mask
   * @param expectedBytes the size of the chunk in bytes
   * @param scratch the working memory of the calling thread
   * @return the chunk's bytes; they belong to the scratch and are valid until its next use, or are
   *     the stored bytes themselves if no filter was applied
   * @throws CorruptFileException if the stored bytes cannot be decoded to exactly that many bytes
   * @throws UnsupportedFeatureException if a filter that was applied is not available
   */
  public MemorySegment decode(StoredChunk stored, long expectedBytes, FilterScratch scratch) {
    return run(stored, expectedBytes, expectedBytes, null, scratch);
  }

  /**
   * Decodes a stored chunk that may end behind its last element within the extent.
   *
   * @param stored the stored bytes and their filter mask
   * @param leastBytes the least number of bytes that the chunk must have
   * @param expectedBytes the size of the chunk in bytes
   * @param scratch the working memory of the calling thread
   * @return the bytes, as {@link #decode(StoredChunk, long, FilterScratch)} returns them, from
   *     {@code leastBytes} to {@code expectedBytes}
   * @throws CorruptFileException if the stored bytes cannot be decoded to so many bytes
   * @throws UnsupportedFeatureException if a filter that was applied is not available
   */
  public MemorySegment decode(
      StoredChunk stored, long leastBytes, long expectedBytes, FilterScratch scratch) {
    return run(stored, leastBytes, expectedBytes, null, scratch);
  }

  private MemorySegment run(
      StoredChunk stored,
      long leastBytes,
      long expectedBytes,
      MemorySegment target,
      FilterScratch scratch) {
    int first = 0;
    while (first < filters.length && skipped(stored, first)) {
      first++;
    }
    MemorySegment current = stored.bytes();
    int slot = 0;
    for (int i = filters.length - 1; i >= first; i--) {
      if (skipped(stored, i)) {
        continue;
      }
      long limit = limitBefore(i, stored, expectedBytes);
      FilterOutput out = new FilterOutput(scratch, slot, limit, i == first ? target : null);
      current = decodeStage(i, stored, current, out);
      slot = out.passed() ? slot : 1 - slot;
    }
    if (current.byteSize() < leastBytes || current.byteSize() > expectedBytes) {
      throw corrupt(
          stored,
          "chunk",
          "actual=" + current.byteSize() + " bytes, expected=" + expectedBytes,
          null);
    }
    return current;
  }

  private static boolean skipped(StoredChunk stored, int i) {
    return (stored.filterMask() & (1 << i)) != 0;
  }

  /**
   * Returns the greatest size that the input of stage i can have had when the chunk was encoded.
   */
  private long limitBefore(int i, StoredChunk stored, long expectedBytes) {
    long limit = expectedBytes;
    for (int k = 0; k < i; k++) {
      if (!skipped(stored, k) && filters[k] != null) {
        limit = filters[k].maximumEncodedBytes(limit, clientData[k]);
      }
    }
    return limit;
  }

  private MemorySegment decodeStage(
      int i, StoredChunk stored, MemorySegment source, FilterOutput out) {
    if (filters[i] == null) {
      throw FilterRegistry.unavailable(stages.get(i), "found");
    }
    try {
      long made = filters[i].decode(source, clientData[i], out);
      return out.inTarget() && made == out.limitBytes() ? out.target() : out.result(made);
    } catch (HyperslabException typed) {
      throw typed;
    } catch (MalformedDataException | RuntimeException failure) {
      String problem = "actual=" + failure.getMessage() + ", expected=decodable bytes";
      throw corrupt(stored, "chunk, filter " + describe(i), problem, failure);
    }
  }

  private static CorruptFileException corrupt(
      StoredChunk stored, String structure, String problem, Exception cause) {
    return new CorruptFileException(stored.file(), structure, stored.address(), problem, cause);
  }

  /** Returns the number and name of the filter of stage i. */
  String describe(int i) {
    FilterStage stage = stages.get(i);
    return stage.id() + " (" + (filters[i] == null ? stage.name() : filters[i].name()) + ")";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FilterPipeline that && stages.equals(that.stages);
  }

  @Override
  public int hashCode() {
    return stages.hashCode();
  }

  @Override
  public String toString() {
    return "FilterPipeline" + stages;
  }
}
