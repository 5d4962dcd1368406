package org.hyperslab.convert.model;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.hyperslab.Dataset;
import org.hyperslab.convert.model.Boxes.Box;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.filter.EncodedChunk;
import org.hyperslab.format.filter.FilterPipeline;
import org.hyperslab.format.filter.FilterScratch;
import org.hyperslab.format.filter.FilterStage;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.bare.BareDecoders;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.Layout;
import org.hyperslab.model.RawChunk;

/**
 * Writes whole chunks of a dataset as they are stored. The thread that read the elements applies
 * the filters, so that several threads encode at the same time; a write of elements would do that
 * while it excludes all other writes to the file.
 *
 * <p>Thread rule: any thread.
 */
public final class ChunkSink implements ConversionRun.BlockSink {

  private static final long MAX_CHUNK_BYTES = 1 << 30;
  private static final int SHUFFLE = FilterSpec.shuffle().id();

  private final Dataset dataset;
  private final long[] chunk;
  private final int elementBytes;
  private final int chunkBytes;
  private final byte[] fill;
  private final FilterPipeline pipeline;

  /** The filters after shuffle, if that is the first of them. */
  private final Optional<FilterPipeline> afterShuffle;

  private final ConcurrentLinkedQueue<Work> idle = new ConcurrentLinkedQueue<>();

  private ChunkSink(Dataset dataset, long[] chunk, int elementBytes, byte[] fill) {
    this.dataset = dataset;
    this.chunk = chunk;
    this.elementBytes = elementBytes;
    this.chunkBytes = Math.toIntExact(Dataspace.product(chunk) * elementBytes);
    this.fill = fill;
    List<FilterStage> stages =
        dataset.datasetInfo().options().filters().stream().map(ChunkSink::stage).toList();
    this.pipeline = FilterPipeline.of(stages);
    FilterStage shuffle = FilterStage.mandatory(SHUFFLE, elementBytes);
    boolean first =
        !stages.isEmpty()
            && stages.getFirst().id() == SHUFFLE
            && stages.getFirst().clientData().equals(shuffle.clientData());
    this.afterShuffle =
        first ? Optional.of(FilterPipeline.of(stages.subList(1, stages.size()))) : Optional.empty();
  }

  private static FilterStage stage(FilterSpec filter) {
    return new FilterStage(filter.id(), filter.optional(), filter.name(), filter.parameters());
  }

  /**
   * Returns a sink for the elements of a variable.
   *
   * @param dataset the dataset to write to, open
   * @param variable the variable
   * @param mostBytes the greatest size of a chunk in bytes
   * @return the sink; empty if the dataset has no chunks or larger ones, or its elements are not
   *     stored as they are in memory
   */
  public static Optional<ChunkSink> of(Dataset dataset, Variable variable, long mostBytes) {
    DatasetInfo info = dataset.datasetInfo();
    if (!(info.options().layout() instanceof Layout.Chunked layout)
        || !layout.filterPartialEdgeChunks()
        || variable.type().hasOutOfLineParts()
        || !Converter.between(variable.type().inMemory(), dataset.type()).isNoOp()) {
      return Optional.empty();
    }
    long[] chunk = layout.dimsArray();
    int size = dataset.type().size();
    if (Dataspace.product(chunk) > Math.min(mostBytes, MAX_CHUNK_BYTES) / size) {
      return Optional.empty();
    }
    return fill(info, size).map(fill -> new ChunkSink(dataset, chunk, size, fill));
  }

  private static Optional<byte[]> fill(DatasetInfo info, int size) {
    return switch (info.options().fill()) {
      case FillValue.Default _, FillValue.Undefined _ -> Optional.of(new byte[size]);
      case FillValue.Value value when value.type().equals(info.type()) ->
          Optional.of(value.value().elements().asSlice(0, size).toArray(ValueLayout.JAVA_BYTE));
      case FillValue.Value _ -> Optional.empty();
    };
  }

  /** Returns the size of a chunk in bytes. */
  public int chunkBytes() {
    return chunkBytes;
  }

  /** Returns the shape of a chunk. */
  public long[] chunk() {
    return chunk.clone();
  }

  /**
   * Writes the chunks of a box.
   *
   * @param box a box of whole chunks, except at the upper edges of the dataset
   * @param elements its elements, in row-major order
   */
  @Override
  public void accept(Box box, DataBuffer elements) {
    Work taken = idle.poll();
    Work work = taken == null ? new Work() : taken;
    try {
      for (Box part : Boxes.cut(box.count(), chunk)) {
        long[] offset = new long[chunk.length];
        Arrays.setAll(offset, d -> box.start()[d] + part.start()[d]);
        MemorySegment whole = whole(part, box.count(), elements.elements(), work);
        EncodedChunk encoded = pipeline.encode(whole, work.scratch);
        dataset.writeChunk(new RawChunk(encoded.bytes(), encoded.filterMask()), offset);
      }
    } finally {
      idle.add(work);
    }
  }

  /** Returns whether {@link #acceptBlosc} can write chunks. */
  public boolean takesBlosc() {
    return afterShuffle.isPresent();
  }

  /**
   * Writes a chunk that is a container of Blosc without putting its elements together, which are
   * shuffled in the container and in the file.
   *
   * @param container the container of a whole chunk
   * @param box the chunk
   * @param file the name of the container, for messages
   * @return false if its bytes are not shuffled as in the file; nothing is written then
   * @throws CorruptFileException if it is damaged
   */
  public boolean acceptBlosc(byte[] container, Box box, String file) {
    Work taken = idle.poll();
    Work work = taken == null ? new Work() : taken;
    try {
      byte[] shuffled = work.wholeArray(chunkBytes);
      if (!decode(container, shuffled, work.scratch, file)) {
        return false;
      }
      EncodedChunk encoded =
          afterShuffle.orElseThrow().encode(MemorySegment.ofArray(shuffled), work.scratch);
      dataset.writeChunk(
          new RawChunk(encoded.bytes(), encoded.filterMask() << 1), box.start().clone());
      return true;
    } finally {
      idle.add(work);
    }
  }

  private boolean decode(byte[] container, byte[] shuffled, FilterScratch scratch, String file) {
    try {
      Span source = new Span(container, 0, container.length);
      return BareDecoders.bloscShuffled(source, elementBytes, shuffled, scratch);
    } catch (MalformedDataException | IndexOutOfBoundsException damaged) {
      throw new CorruptFileException(
          file,
          "chunk, blosc",
          CorruptFileException.NO_OFFSET,
          "actual=" + damaged.getMessage() + ", expected=decodable bytes",
          damaged);
    }
  }

  /**
   * Returns the elements of a chunk in row-major order.
   *
   * @param part the box of its elements within {@code shape}
   * @param shape the shape of the elements at hand
   */
  private MemorySegment whole(Box part, long[] shape, MemorySegment elements, Work work) {
    long first = firstIfContiguous(part, shape);
    if (first >= 0) {
      return elements.asSlice(first * elementBytes, chunkBytes);
    }
    MemorySegment whole = work.whole(chunkBytes);
    boolean complete = Arrays.equals(part.count(), chunk);
    MemorySegment gathered = complete ? whole : work.part(chunkBytes);
    copyRuns(shape, part, (inBox, inPart, run) -> copy(elements, inBox, gathered, inPart, run));
    if (!complete) {
      fillAll(whole);
      Box corner = new Box(new long[chunk.length], part.count());
      copyRuns(chunk, corner, (at, inPart, run) -> copy(gathered, inPart, whole, at, run));
    }
    return whole;
  }

  private static void copyRuns(long[] shape, Box box, Boxes.RunVisitor visitor) {
    Boxes.runs(shape, box.start(), box.count(), visitor);
  }

  private void copy(MemorySegment from, long at, MemorySegment to, long toAt, long elements) {
    MemorySegment.copy(from, at * elementBytes, to, toAt * elementBytes, elements * elementBytes);
  }

  private void fillAll(MemorySegment whole) {
    for (long at = 0; at < chunkBytes; at += elementBytes) {
      MemorySegment.copy(fill, 0, whole, ValueLayout.JAVA_BYTE, at, elementBytes);
    }
  }

  /** Returns the index of the first element of a whole chunk without gaps; -1 for other boxes. */
  private long firstIfContiguous(Box part, long[] shape) {
    if (!Arrays.equals(part.count(), chunk)) {
      return -1;
    }
    int outer = 0;
    while (outer < chunk.length && chunk[outer] == 1) {
      outer++;
    }
    long first = 0;
    for (int d = 0; d < chunk.length; d++) {
      if (d > outer && chunk[d] != shape[d]) {
        return -1;
      }
      first = first * shape[d] + part.start()[d];
    }
    return first;
  }

  /**
   * The working memory of a thread. It need not be closed, because chunks are shorter than those
   * for which filters take memory outside the heap.
   */
  private static final class Work {
    private final FilterScratch scratch = new FilterScratch();
    private byte[] whole = new byte[0];
    private byte[] part = new byte[0];

    byte[] wholeArray(int bytes) {
      whole = whole.length == bytes ? whole : new byte[bytes];
      return whole;
    }

    MemorySegment whole(int bytes) {
      return MemorySegment.ofArray(wholeArray(bytes));
    }

    MemorySegment part(int bytes) {
      part = part.length == bytes ? part : new byte[bytes];
      return MemorySegment.ofArray(part);
    }
  }
}
