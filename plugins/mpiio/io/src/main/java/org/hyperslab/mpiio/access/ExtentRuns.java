package org.hyperslab.mpiio.access;

import java.util.List;
import org.hyperslab.error.InvalidUseException;

/**
 * An {@link ExtentList} held as runs of equal extents at equal distances: a regular pattern of a
 * million extents takes a few numbers. Algorithms plan with such lists, and ranks exchange them.
 *
 * <p>Run i is {@code runCount(i)} extents of {@code runLength(i)} bytes, the k-th at {@code
 * runOffset(i) + k * runStride(i)}, the first at packed position {@code runPacked(i)}.
 *
 * <p>Thread rule: immutable.
 */
public final class ExtentRuns implements ExtentList {

  private static final ExtentRuns EMPTY = new ExtentRuns(RunTable.EMPTY);

  /** The number of longs that encode one run: offset, length, stride, count. */
  public static final int LONGS_PER_RUN = 4;

  private final RunTable table;

  private ExtentRuns(RunTable table) {
    this.table = table;
  }

  /** {@return an empty list} */
  public static ExtentRuns empty() {
    return EMPTY;
  }

  /**
   * {@return a list of one extent; empty if {@code length} is 0}
   *
   * @param offset the file offset of the (first) extent
   * @param length the length of an extent, in bytes
   */
  public static ExtentRuns of(long offset, long length) {
    return builder().add(offset, length).build();
  }

  /**
   * {@return a list of {@code count} extents of {@code length} bytes, {@code stride} bytes from
   * start to start}
   *
   * @param offset the file offset of the (first) extent
   * @param length the length of an extent, in bytes
   * @param stride bytes from the start of one extent to the start of the next
   * @param count how many extents
   */
  public static ExtentRuns strided(long offset, long length, long stride, long count) {
    return builder().addRun(offset, length, stride, count).build();
  }

  /**
   * {@return a list of extents given by offset and length, ascending and disjoint}
   *
   * @param offsets the offset of each, in bytes
   * @param lengths the length of each, in bytes
   */
  public static ExtentRuns of(long[] offsets, long[] lengths) {
    Builder builder = builder();
    for (int i = 0; i < offsets.length; i++) {
      builder.add(offsets[i], lengths[i]);
    }
    return builder.build();
  }

  /**
   * {@return the same extents, as runs}
   *
   * @param list the list
   */
  public static ExtentRuns copyOf(ExtentList list) {
    return list instanceof ExtentRuns runs ? runs : copyOf(list, 0, list.totalBytes());
  }

  /**
   * {@return the extents of packed bytes {@code from .. toExclusive} of {@code list}, as runs}
   *
   * @param list the list
   * @param from the first packed byte
   * @param toExclusive the packed byte after the last
   */
  public static ExtentRuns copyOf(ExtentList list, long from, long toExclusive) {
    if (from < 0 || toExclusive < from || toExclusive > list.totalBytes()) {
      throw new InvalidUseException(
          "packed range: actual="
              + from
              + ".."
              + toExclusive
              + ", expected=within 0.."
              + list.totalBytes());
    }
    if (list instanceof ExtentRuns runs) {
      return runs.part(from, toExclusive);
    }
    Builder builder = builder();
    Cursor cursor = list.cursor();
    cursor.seekPacked(from);
    for (long at = from; at < toExclusive && cursor.next(); ) {
      long part = Math.min(cursor.length(), toExclusive - at);
      builder.add(cursor.offset(), part);
      at += part;
    }
    return builder.build();
  }

  private ExtentRuns part(long from, long toExclusive) {
    if (from == 0 && toExclusive == totalBytes()) {
      return this;
    }
    Builder builder = builder();
    long at = from;
    int run = table.runAtPacked(from);
    while (at < toExclusive) {
      long length = table.lengths[run];
      long within = at - table.packed[run];
      long piece = within / length;
      long inPiece = within % length;
      long whole = Math.min(table.packed[run + 1], toExclusive) - at;
      long start = table.offsets[run] + piece * table.strides[run];
      if (inPiece != 0 || whole < length) {
        long part = Math.min(length - inPiece, whole);
        builder.add(start + inPiece, part);
        at += part;
      } else {
        builder.addRun(start, length, table.strides[run], whole / length);
        at += whole / length * length;
      }
      if (at == table.packed[run + 1]) {
        run++;
      }
    }
    return builder.build();
  }

  /**
   * {@return the list that {@link #encode} encoded; every number is checked}
   *
   * @param encoded the encoded list
   * @param from the index of the first long
   * @param longs the number of longs
   */
  public static ExtentRuns decode(long[] encoded, int from, int longs) {
    if (longs % LONGS_PER_RUN != 0) {
      throw new InvalidUseException(
          "encoded extents: actual=" + longs + " longs, expected=a multiple of " + LONGS_PER_RUN);
    }
    Builder builder = builder();
    for (int i = from; i < from + longs; i += LONGS_PER_RUN) {
      builder.addRun(encoded[i], encoded[i + 1], encoded[i + 2], encoded[i + 3]);
    }
    return builder.build();
  }

  /**
   * {@return all bytes that are in at least one of the lists}
   *
   * @param lists the lists
   */
  public static ExtentRuns union(List<ExtentRuns> lists) {
    return ExtentUnion.of(lists);
  }

  /**
   * {@return the same extents with gaps of up to {@code gapBytes} between neighbours filled}
   *
   * @param gapBytes the widest gap to fill, in bytes
   */
  public ExtentRuns closingGaps(long gapBytes) {
    if (gapBytes <= 0 || table.runs == 0) {
      return this;
    }
    Builder closed = builder();
    long from = first();
    long end = from;
    for (int run = 0; run < table.runs; run++) {
      boolean joins = table.strides[run] - table.lengths[run] <= gapBytes;
      long pieces = joins ? 1 : table.counts[run];
      for (long k = 0; k < pieces; k++) {
        long offset = table.offsets[run] + k * table.strides[run];
        if (offset - end > gapBytes) {
          closed.add(from, end - from);
          from = offset;
        }
        end = joins ? table.end(run) : offset + table.lengths[run];
      }
    }
    return closed.add(from, end - from).build();
  }

  /**
   * {@return the positions of these extents in the packed order of {@code carrier}; each must lie
   * within one extent of it}
   *
   * @param carrier the list that holds these extents
   */
  public ExtentRuns positionsIn(ExtentRuns carrier) {
    if (carrier.table.runs == 1 && carrier.table.counts[0] == 1) {
      return moved(-carrier.first());
    }
    Builder positions = builder();
    Cursor cursor = cursor();
    Cursor extent = carrier.cursor();
    boolean more = extent.next();
    while (cursor.next()) {
      while (more && extent.offset() + extent.length() <= cursor.offset()) {
        more = extent.next();
      }
      positions.add(extent.packed() + cursor.offset() - extent.offset(), cursor.length());
    }
    return positions.build();
  }

  /** {@return four longs for each run: offset, length, stride, count} */
  public long[] encode() {
    long[] encoded = new long[table.runs * LONGS_PER_RUN];
    for (int i = 0, at = 0; i < table.runs; i++) {
      encoded[at++] = table.offsets[i];
      encoded[at++] = table.lengths[i];
      encoded[at++] = table.strides[i];
      encoded[at++] = table.counts[i];
    }
    return encoded;
  }

  /** {@return a new, empty builder} */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * {@return the same extents shifted by {@code distance} bytes; none may start before 0}
   *
   * @param distance the distance in bytes; negative towards the start
   */
  public ExtentRuns moved(long distance) {
    return isEmpty() || distance == 0 ? this : new ExtentRuns(table.moved(distance));
  }

  /** {@return the number of runs of equally long pieces} */
  public int runs() {
    return table.runs;
  }

  /**
   * {@return the file offset of the run's first extent}
   *
   * @param run the index of the run, from 0
   */
  public long runOffset(int run) {
    return table.offsets[run];
  }

  /**
   * {@return the length of each extent of the run in bytes}
   *
   * @param run the index of the run, from 0
   */
  public long runLength(int run) {
    return table.lengths[run];
  }

  /**
   * {@return the distance from the start of one extent of the run to that of the next, in bytes}
   *
   * @param run the index of the run, from 0
   */
  public long runStride(int run) {
    return table.strides[run];
  }

  /**
   * {@return the number of extents of the run}
   *
   * @param run the index of the run, from 0
   */
  public long runCount(int run) {
    return table.counts[run];
  }

  /**
   * {@return the packed position of the run's first byte}
   *
   * @param run the index of the run, from 0
   */
  public long runPacked(int run) {
    return table.packed[run];
  }

  @Override
  public long totalBytes() {
    return table.totalBytes();
  }

  @Override
  public long first() {
    return table.runs == 0 ? 0 : table.offsets[0];
  }

  @Override
  public long endExclusive() {
    return table.runs == 0 ? 0 : table.end(table.runs - 1);
  }

  @Override
  public long count() {
    return table.pieces();
  }

  @Override
  public long packedAt(long fileOffset) {
    int run = table.runAtOffset(fileOffset);
    if (run < 0) {
      return 0;
    }
    long within = fileOffset - table.offsets[run];
    long piece = within / table.strides[run];
    if (piece >= table.counts[run]) {
      return table.packed[run + 1];
    }
    long inPiece = Math.min(within - piece * table.strides[run], table.lengths[run]);
    return table.packed[run] + piece * table.lengths[run] + inPiece;
  }

  /**
   * {@return the file offset of a byte}
   *
   * @param packedByte the packed position of the byte, less than {@link #totalBytes}
   * @throws InvalidUseException if the list has no such byte
   */
  public long offsetAt(long packedByte) {
    if (packedByte < 0 || packedByte >= totalBytes()) {
      throw new InvalidUseException(
          "packed byte: actual=" + packedByte + ", expected=0.." + (totalBytes() - 1));
    }
    int run = table.runAtPacked(packedByte);
    long within = packedByte - table.packed[run];
    long piece = within / table.lengths[run];
    return table.offsets[run] + piece * table.strides[run] + within % table.lengths[run];
  }

  @Override
  public Cursor cursor() {
    return new RunCursor(this);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ExtentRuns runs && table.sameAs(runs.table);
  }

  @Override
  public int hashCode() {
    return table.hashCode();
  }

  /** Returns the runs, as {@code offset+length*count/stride}. */
  @Override
  public String toString() {
    return table.toString();
  }

  /** Walks the extents of runs. */
  private static final class RunCursor implements Cursor {

    private final ExtentRuns list;
    private int run;
    private long piece = -1;
    private long skip;
    private long offset;
    private long length;
    private long packed;

    RunCursor(ExtentRuns list) {
      this.list = list;
    }

    @Override
    public boolean next() {
      RunTable table = list.table;
      if (run >= table.runs) {
        return false;
      }
      if (++piece == table.counts[run]) {
        piece = 0;
        if (++run >= table.runs) {
          return false;
        }
      }
      offset = table.offsets[run] + piece * table.strides[run] + skip;
      length = table.lengths[run] - skip;
      packed = table.packed[run] + piece * table.lengths[run] + skip;
      skip = 0;
      return true;
    }

    @Override
    public long offset() {
      return offset;
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public long packed() {
      return packed;
    }

    @Override
    public void seekPacked(long position) {
      RunTable table = list.table;
      run = position >= table.totalBytes() ? table.runs : table.runAtPacked(position);
      if (run < table.runs) {
        long within = position - table.packed[run];
        piece = within / table.lengths[run] - 1;
        skip = within % table.lengths[run];
      }
    }

    @Override
    public void seekOffset(long fileOffset) {
      seekPacked(list.packedAt(fileOffset));
    }
  }

  /**
   * Collects extents in ascending order, joins adjacent ones, and merges equal ones at equal
   * distances into runs. Thread rule: one thread.
   */
  public static final class Builder {

    private final RunTable.Builder table = new RunTable.Builder();

    private Builder() {}

    /**
     * Adds an extent, which must start at or after the end of the last. Adds nothing if it is
     * empty.
     *
     * @param offset the file offset of the (first) extent
     * @param length the length of an extent, in bytes
     * @return this builder
     * @throws InvalidUseException if it starts before that, or its length is negative
     */
    public Builder add(long offset, long length) {
      check(offset, length, length, 1);
      table.add(offset, length);
      return this;
    }

    /**
     * Adds {@code count} extents, {@code stride} bytes from start to start.
     *
     * @param offset the file offset of the (first) extent
     * @param length the length of an extent, in bytes
     * @param stride bytes from the start of one extent to the start of the next
     * @param count how many extents
     * @return this builder
     */
    public Builder addRun(long offset, long length, long stride, long count) {
      check(offset, length, stride, count);
      table.addRun(offset, length, stride, count);
      return this;
    }

    /** {@return the list of the added extents} */
    public ExtentRuns build() {
      return table.end() == Long.MIN_VALUE ? EMPTY : new ExtentRuns(table.build());
    }

    private void check(long offset, long length, long stride, long count) {
      boolean ordered = length == 0 || count == 0 || offset >= table.end();
      if (offset < 0 || length < 0 || count < 0 || !ordered || (count > 1 && stride < length)) {
        throw new InvalidUseException(
            "extent: actual=offset "
                + offset
                + ", length "
                + length
                + ", stride "
                + stride
                + ", count "
                + count
                + ", expected=at or after "
                + Math.max(0, table.end())
                + ", not overlapping; sort and join the extents first");
      }
      if (length > 0 && count > 0) {
        Math.addExact(offset, Math.addExact(Math.multiplyExact(stride, count - 1), length));
      }
    }
  }
}
