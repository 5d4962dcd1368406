package org.hyperslab.web.reference;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.web.zarr.ZarrArray;

/**
 * Finds the places in the file of an array's chunks, if NumPy and numcodecs can read what is
 * stored. Chunks whose stored bytes are not those of the array's chunk are embedded: encoded for
 * the same codecs, they are part of the index. These are chunks with a skipped filter, chunks at
 * the end of a dataset that is shorter than its array, and chunks that were never written, unless
 * the array's fill value is theirs.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class ChunkReferences {

  /**
   * The preferred size in bytes of a piece of a contiguous dataset, which is divided into whole
   * rows.
   */
  private static final long PIECE_BYTES = 16L << 20;

  private final ZarrArray array;
  private final DatasetInfo info;
  private final long[] extent;
  private final long limit;

  /** A reference to bytes of the file. */
  public record Range(String key, long offset, long bytes) {}

  /**
   * An array whose chunks are ranges of the file or embedded.
   *
   * @param array the array
   * @param codecs the codecs that decode the chunks
   * @param ranges the ranges of chunks
   * @param embedded the texts of embedded chunks, by their keys
   */
  public record Found(
      ZarrArray array, ChunkCodecs codecs, List<Range> ranges, Map<String, String> embedded) {}

  private ChunkReferences(ZarrArray array, long limit) {
    this.array = array;
    this.info = array.dataset().datasetInfo();
    this.extent = info.space().dims();
    this.limit = limit;
  }

  /**
   * {@return the places of an array's chunks; empty if its elements cannot be read where they are,
   * or more would be embedded than is allowed}
   *
   * @param array the array
   * @param limit the maximum number of characters of embedded chunks with their keys
   */
  public static Optional<Found> of(ZarrArray array, long limit) {
    if (!isStoredSo(array.dataset().type(), array.type())) {
      return Optional.empty();
    }
    return new ChunkReferences(array, limit).find();
  }

  /** Returns whether NumPy can read the stored elements directly. */
  private static boolean isStoredSo(Datatype stored, Datatype type) {
    if (stored instanceof StringType text) {
      boolean isByte = text.size() == 1 && text.padding() == StringPadding.NULLTERM;
      return isByte || text.padding() == StringPadding.NULLPAD;
    }
    return stored.equals(type) && !type.hasOutOfLineParts();
  }

  private Optional<Found> find() {
    return switch (info.options().layout()) {
      case Layout.Contiguous _, Layout.Auto _ -> contiguous();
      case Layout.Chunked chunked -> chunked(chunked);
      case Layout.Compact _, Layout.External _, Layout.Virtual _ -> Optional.empty();
    };
  }

  // --- contiguous ---

  private Optional<Found> contiguous() {
    long offset = info.storage().offset();
    long bytes = array.bytes();
    long rows = array.shape().length == 0 ? 1 : array.shape()[0];
    if (offset < 0 || bytes == 0) {
      return unwritten();
    }
    if (bytes > info.storage().allocatedBytes()) {
      return Optional.empty();
    }
    long parts = parts(rows, bytes);
    long[] chunk = array.shape().clone();
    List<Range> ranges = new ArrayList<>();
    for (long i = 0; i < parts; i++) {
      ranges.add(
          new Range(ZarrArray.key(i, chunk.length), offset + i * (bytes / parts), bytes / parts));
    }
    if (chunk.length > 0) {
      chunk[0] = rows / parts;
    }
    return Optional.of(new Found(array.withChunk(chunk), ChunkCodecs.NONE, ranges, Map.of()));
  }

  /**
   * Returns the number of equal parts into which rows are divided; the last chunk must be whole
   * too.
   */
  private static long parts(long rows, long bytes) {
    long least = (bytes + PIECE_BYTES - 1) / PIECE_BYTES;
    for (long parts = least; parts <= Math.min(rows, 4 * least); parts++) {
      if (rows % parts == 0) {
        return parts;
      }
    }
    return 1;
  }

  // --- chunked ---

  private Optional<Found> chunked(Layout.Chunked chunked) {
    Optional<ChunkCodecs> codecs = ChunkCodecs.of(info.options().filters(), array.type().size());
    boolean hasBareEdge = !chunked.filterPartialEdgeChunks() && !info.options().filters().isEmpty();
    List<Range> ranges = new ArrayList<>();
    List<String> apart = new ArrayList<>();
    for (Iterator<ChunkInfo> all = array.dataset().chunks().iterator(); all.hasNext(); ) {
      ChunkInfo chunk = all.next();
      long[] start = chunk.offset().stream().mapToLong(Long::longValue).toArray();
      GridCell cell = GridCell.of(array, extent, start);
      if (cell.place() == GridCell.Place.BEYOND) {
        continue;
      }
      if (codecs.isEmpty()) {
        return Optional.empty();
      }
      boolean isOther =
          chunk.filterMask() != 0 || chunk.address() < 0 || hasBareEdge && cell.isPartial();
      if (isOther || cell.place() == GridCell.Place.ACROSS) {
        apart.add(array.keyOf(start));
      } else {
        long bytes = chunk.storedBytes() - codecs.get().trailerBytes();
        ranges.add(new Range(array.keyOf(start), chunk.address(), bytes));
      }
    }
    return ranges.isEmpty() && apart.isEmpty()
        ? unwritten()
        : complete(codecs.orElseThrow(), ranges, apart);
  }

  private Optional<Found> complete(ChunkCodecs codecs, List<Range> ranges, List<String> apart) {
    EmbeddedChunks embedded = new EmbeddedChunks(array, extent, codecs, limit);
    Set<String> present = new HashSet<>(apart);
    ranges.forEach(range -> present.add(range.key()));
    return embedded.addAll(apart) && embedded.addMissing(present)
        ? Optional.of(new Found(array, codecs, ranges, embedded.texts()))
        : Optional.empty();
  }

  /** Returns an array of which nothing is stored, in chunks that compress well. */
  private Optional<Found> unwritten() {
    ZarrArray pieces = array.withChunk(ZarrArray.rows(array.shape(), array.type().memorySize()));
    ChunkCodecs codecs = ChunkCodecs.zstd();
    EmbeddedChunks embedded = new EmbeddedChunks(pieces, extent, codecs, limit);
    return embedded.addMissing(Set.of())
        ? Optional.of(new Found(pieces, codecs, List.of(), embedded.texts()))
        : Optional.empty();
  }
}
