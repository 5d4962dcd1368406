package org.hyperslab.plugins.nativevol.statistics;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.ChunkIterator;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.Condition;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.ValueSummary;
import org.hyperslab.plugins.nativevol.transfer.ChunkObserver;
import org.hyperslab.vol.query.BlockFacts;
import org.hyperslab.vol.query.Summarizer;

/**
 * What is known of the blocks of one dataset, and which blocks have been written since.
 *
 * <p>Invariant: a block that is known is as it was when it was summarized. Whoever changes elements
 * calls {@link #touch} before or while they change, under the lock that keeps others from
 * summarizing.
 *
 * <p>Thread rule: any thread.
 */
public final class DatasetStatistics implements ChunkObserver, BlockFacts {

  /** The most fields of which statistics are kept. */
  public static final int MOST_FIELDS = 64;

  /** The most summaries of a dataset, which are kept in memory while it is written or asked. */
  public static final int MOST_SUMMARIES = 1 << 20;

  /** The first number of the first row. */
  private static final long VERSION = 1;

  private final Datatype type;
  private final long[] blockDims;
  private final long blockElements;
  private final List<Condition.Field> fields;
  private final List<Summarizer> summarizers;

  /** What summarizes the bytes of chunks; empty if they must be converted first. */
  private final List<Summarizer> inPlace;

  private final Map<BlockKey, List<ValueSummary>> known = new HashMap<>();

  /** The blocks that have been written and are not known, with the number of the last write. */
  private final Map<BlockKey, Long> written = new LinkedHashMap<>();

  private long writes;

  /** The summaries of chunks that have been encoded, and not been stored yet. */
  private final Map<BlockKey, List<ValueSummary>> encoded = new ConcurrentHashMap<>();

  /** The rows of blocks that have one in the file. */
  private final Map<BlockKey, Integer> rows = new HashMap<>();

  /** The blocks whose rows differ from what is known. */
  private final Set<BlockKey> changed = new LinkedHashSet<>();

  /** Whether all rows in the file have to go. */
  private boolean fresh;

  private long[] extent;
  private boolean givenUp;

  private DatasetStatistics(
      Datatype type,
      FillValue fill,
      long[] extent,
      long[] blockDims,
      long blockElements,
      List<Condition.Field> fields) {
    this.type = type;
    this.extent = extent.clone();
    this.blockDims = blockDims.clone();
    this.blockElements = blockElements;
    this.fields = fields;
    this.summarizers = fields.stream().map(field -> Summarizer.of(field, type, fill)).toList();
    List<Summarizer> direct = new ArrayList<>();
    fields.forEach(field -> Summarizer.inPlace(field, type, fill).ifPresent(direct::add));
    this.inPlace = direct.size() == fields.size() ? direct : List.of();
  }

  /**
   * {@return statistics of a dataset of which nothing is known; empty if it has no numbers, no
   * dimension, or more numbers than statistics are kept of}
   *
   * @param type the type of its elements as stored
   * @param fill its fill value
   * @param extent its extent
   * @param chunkDims the lengths of its chunks; null if it has none
   * @param blockElements the most elements of a block of a dataset without chunks
   */
  public static Optional<DatasetStatistics> of(
      Datatype type, FillValue fill, long[] extent, long[] chunkDims, long blockElements) {
    List<Condition.Field> fields = new ArrayList<>();
    addFields(type, new ArrayList<>(), fields);
    if (fields.isEmpty() || fields.size() > MOST_FIELDS || extent.length == 0) {
      return Optional.empty();
    }
    long[] blockDims = chunkDims != null ? chunkDims : blockDims(extent, blockElements);
    return Optional.of(new DatasetStatistics(type, fill, extent, blockDims, blockElements, fields));
  }

  private static void addFields(Datatype type, List<String> names, List<Condition.Field> fields) {
    if (type instanceof CompoundType compound && names.size() < 32) {
      for (CompoundType.Member member : compound.members()) {
        if (!member.name().isEmpty() && fields.size() <= MOST_FIELDS) {
          names.add(member.name());
          addFields(member.type(), names, fields);
          names.removeLast();
        }
      }
      return;
    }
    Condition.Field field = names.isEmpty() ? Condition.value() : new Condition.Field(names);
    Datatype whole = type;
    for (String name : names.reversed()) {
      whole = CompoundType.builder().member(name, whole).build();
    }
    try {
      Summarizer.of(field, whole, new FillValue.Default());
      fields.add(field);
    } catch (InvalidUseException noNumbers) {
      // texts and the like have no statistics
    }
  }

  private static long[] blockDims(long[] extent, long blockElements) {
    long[] dims = new long[extent.length];
    Arrays.fill(dims, 1);
    long rest = Math.max(1, blockElements);
    for (int d = dims.length - 1; d >= 0; d--) {
      dims[d] = Math.clamp(rest, 1, Math.max(1, extent[d]));
      rest /= dims[d];
      if (dims[d] < extent[d]) {
        break;
      }
    }
    return dims;
  }

  @Override
  public long[] blockDims() {
    return blockDims.clone();
  }

  /** {@return the most elements of a block of a dataset without chunks} */
  public long blockElements() {
    return blockElements;
  }

  /** {@return what summarizes each field} */
  public List<Summarizer> summarizers() {
    return summarizers;
  }

  // --- changes of the elements ---

  /**
   * Forgets what is known of blocks that are being written.
   *
   * @param selection the elements that are written
   */
  public synchronized void touch(Selection selection) {
    if (givenUp || volume(extent) == 0) {
      return;
    }
    ChunkIterator pieces = selection.chunks(extent, blockDims);
    while (pieces.hasNext() && !givenUp) {
      forget(new BlockKey(pieces.next().scaled()), true);
    }
  }

  /**
   * Forgets what is known of a block that is replaced.
   *
   * @param start its first element
   */
  public synchronized void touchBlock(long[] start) {
    long[] block = start.clone();
    if (givenUp || block.length != blockDims.length) {
      return;
    }
    for (int d = 0; d < block.length; d++) {
      block[d] /= blockDims[d];
    }
    forget(new BlockKey(block), true);
  }

  private static long volume(long[] dims) {
    long volume = 1;
    for (long length : dims) {
      volume = length == 0 ? 0 : Math.min(Long.MAX_VALUE / length, volume) * length;
    }
    return volume;
  }

  private void forget(BlockKey block, boolean again) {
    encoded.remove(block);
    if (known.remove(block) != null || rows.containsKey(block)) {
      changed.add(block);
    }
    if (again) {
      written.put(block, ++writes);
    }
    if ((written.size() + known.size()) * (long) fields.size() > MOST_SUMMARIES) {
      giveUp();
    }
  }

  /** Forgets everything, and keeps no more. */
  public synchronized void giveUp() {
    givenUp = true;
    forgetAll();
  }

  /** Forgets everything, also what the file has. */
  public synchronized void forgetAll() {
    known.clear();
    written.clear();
    encoded.clear();
    changed.clear();
    rows.clear();
    fresh = true;
  }

  /** Has all blocks summarized at the next flush. */
  public synchronized void touchAll() {
    touch(Selection.all());
  }

  /**
   * Adapts to another extent: blocks that were or are cut by its edge hold other elements.
   *
   * @param newExtent the extent now
   */
  public synchronized void resized(long[] newExtent) {
    long[] old = extent;
    extent = newExtent.clone();
    if (Arrays.equals(old, newExtent)) {
      return;
    }
    Set<BlockKey> all = new LinkedHashSet<>(known.keySet());
    all.addAll(rows.keySet());
    all.addAll(written.keySet());
    for (BlockKey block : all) {
      long now = elements(block);
      if (now == 0) {
        forget(block, false);
        written.remove(block);
      } else if (now != elements(block, old)) {
        forget(block, true);
      }
    }
    encoded.clear();
  }

  /** Returns how many elements of a block lie in the extent. */
  private long elements(BlockKey block) {
    return elements(block, extent);
  }

  private long elements(BlockKey block, long[] in) {
    long elements = 1;
    long[] index = block.index();
    for (int d = 0; d < index.length; d++) {
      long start = Math.multiplyExact(index[d], blockDims[d]);
      elements *= Math.clamp(in[d] - start, 0, blockDims[d]);
    }
    return elements;
  }

  // --- while chunks are encoded ---

  @Override
  public void encoded(long[] scaled, MemorySegment chunk, boolean isInside) {
    if (!isInside || inPlace.isEmpty() || givenUp || chunk.byteSize() > Integer.MAX_VALUE) {
      return;
    }
    int count = (int) (chunk.byteSize() / type.size());
    encoded.put(
        new BlockKey(scaled), inPlace.stream().map(each -> each.of(chunk, count, 0)).toList());
  }

  @Override
  public synchronized void stored(long[] scaled) {
    BlockKey block = new BlockKey(scaled);
    List<ValueSummary> made = encoded.remove(block);
    Long write = written.get(block);
    if (made != null && write != null) {
      learn(block, write, made);
    }
  }

  // --- before a flush ---

  /**
   * A block that has been written.
   *
   * @param block its index
   * @param start its first element
   * @param count its lengths within the extent
   * @param write the number of the last write
   */
  public record Written(BlockKey block, long[] start, long[] count, long write) {}

  /** {@return the blocks that have been written and are not known} */
  public synchronized List<Written> written() {
    List<Written> all = new ArrayList<>();
    for (Iterator<Map.Entry<BlockKey, Long>> i = written.entrySet().iterator(); i.hasNext(); ) {
      Map.Entry<BlockKey, Long> entry = i.next();
      BlockKey block = entry.getKey();
      if (elements(block) == 0) {
        i.remove();
        continue;
      }
      long[] start = block.index();
      long[] count = new long[start.length];
      for (int d = 0; d < start.length; d++) {
        start[d] *= blockDims[d];
        count[d] = Math.min(blockDims[d], extent[d] - start[d]);
      }
      all.add(new Written(block, start, count, entry.getValue()));
    }
    return all;
  }

  /**
   * Takes the summaries of a block that has been read, one for each field, unless it was written
   * again.
   *
   * @param block its index
   * @param write the number of the last write when it was read
   * @param summaries the summaries
   */
  public synchronized void learn(BlockKey block, long write, List<ValueSummary> summaries) {
    if (!givenUp && Long.valueOf(write).equals(written.get(block))) {
      known.put(block, summaries);
      written.remove(block);
      changed.add(block);
    }
  }

  /** {@return whether the file has what is known, and all that was written is known} */
  public synchronized boolean isStored() {
    return changed.isEmpty() && written.isEmpty() && !fresh;
  }

  // --- rows of the file ---

  /** {@return how many numbers a row has} */
  public int width() {
    return Math.max(RowFormat.width(blockDims.length, fields.size()), 5 + blockDims.length);
  }

  /**
   * {@return the first row, which says whose statistics these are}
   *
   * @param address the address of the dataset's header
   */
  public long[] header(long address) {
    long[] row = new long[width()];
    row[0] = VERSION;
    row[1] = address;
    row[2] = blockElements;
    row[3] = type.toString().hashCode();
    row[4] = fields.size();
    System.arraycopy(blockDims, 0, row, 5, blockDims.length);
    return row;
  }

  /**
   * {@return the most elements of a block, of a first row}
   *
   * @param row the row
   */
  public static long blockElements(long[] row) {
    return row.length > 2 && row[0] == VERSION ? row[2] : 0;
  }

  /**
   * What has to be written to the file.
   *
   * @param count how many rows there are, the first one included
   * @param fresh whether those in the file are to be dropped first
   * @param rows rows by their numbers, from 1, in ascending order
   */
  public record Changes(int count, boolean fresh, SortedMap<Integer, long[]> rows) {}

  /** {@return what has to be written to the file; it counts as written then} */
  public synchronized Changes takeChanges() {
    SortedMap<Integer, long[]> all = new TreeMap<>();
    for (BlockKey block : changed) {
      List<ValueSummary> summaries = known.get(block);
      if (summaries != null) {
        rows.putIfAbsent(block, rows.size() + 1);
      }
      Integer number = rows.get(block);
      if (number != null) {
        long[] row = new long[width()];
        RowFormat.put(row, block, summaries == null ? List.of() : summaries);
        all.put(number, row);
      }
    }
    Changes changes = new Changes(rows.size() + 1, fresh, all);
    changed.clear();
    fresh = false;
    return changes;
  }

  /**
   * Takes rows of a file; those that do not fit are ignored.
   *
   * @param first the number of the first of them
   * @param given the rows
   */
  public synchronized void load(int first, List<long[]> given) {
    int number = first;
    for (long[] row : given) {
      BlockKey block = new BlockKey(Arrays.copyOf(row, blockDims.length));
      boolean inside = true;
      for (int d = 0; d < blockDims.length; d++) {
        inside &= row[d] >= 0 && row[d] <= extent[d] / blockDims[d];
      }
      if (inside && rows.putIfAbsent(block, number) == null) {
        List<ValueSummary> summaries = RowFormat.summaries(row, blockDims.length, fields.size());
        if (!summaries.isEmpty() && summaries.getFirst().count() == elements(block)) {
          known.put(block, summaries);
        }
      } else {
        // Two rows of one block, or one of none: what other rows say cannot be relied on either.
        forgetAll();
        return;
      }
      number++;
    }
  }

  // --- answers ---

  @Override
  public synchronized Optional<ValueSummary> of(long[] block, Condition.Field field) {
    int at = fields.indexOf(field);
    List<ValueSummary> summaries = at < 0 ? null : known.get(new BlockKey(block));
    return summaries == null ? Optional.empty() : Optional.of(summaries.get(at));
  }

  /** {@return how many blocks are known} */
  public synchronized int knownBlocks() {
    return known.size();
  }
}
