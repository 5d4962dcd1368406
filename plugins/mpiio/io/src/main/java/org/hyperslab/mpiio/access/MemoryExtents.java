package org.hyperslab.mpiio.access;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;

/**
 * The memory side of a transfer: pieces of one segment, in the packed order of the file's extents.
 * Where the memory is one piece, nothing needs to be packed. Pieces may come in any order; for a
 * read they must not overlap.
 *
 * <p>Thread rule: immutable; the segment's bytes belong to the caller.
 */
public final class MemoryExtents {

  private final MemorySegment base;
  private final RunTable table;

  private MemoryExtents(MemorySegment base, RunTable table) {
    this.base = base;
    this.table = table;
  }

  /** All of {@code segment}, already in packed order. */
  public static MemoryExtents contiguous(MemorySegment segment) {
    return builder(segment).add(0, segment.byteSize()).build();
  }

  /** No memory, for a rank that takes part with nothing. */
  public static MemoryExtents none() {
    return new MemoryExtents(MemorySegment.NULL, RunTable.EMPTY);
  }

  /** Pieces of {@code segment} by offset and length in bytes, in packed order. */
  public static MemoryExtents of(MemorySegment segment, long[] offsets, long[] lengths) {
    Builder builder = builder(segment);
    for (int i = 0; i < offsets.length; i++) {
      builder.add(offsets[i], lengths[i]);
    }
    return builder.build();
  }

  /** A new builder of pieces of {@code segment}. */
  public static Builder builder(MemorySegment segment) {
    return new Builder(segment);
  }

  /** The same pieces of another segment, which is as long. */
  public MemoryExtents of(MemorySegment segment) {
    if (segment.byteSize() != base.byteSize()) {
      throw new InvalidUseException(
          "memory: actual=" + segment.byteSize() + " bytes, expected=" + base.byteSize());
    }
    return new MemoryExtents(segment, table);
  }

  /** The segment that the pieces are of. */
  public MemorySegment base() {
    return base;
  }

  /** The sum of the pieces' lengths in bytes. */
  public long totalBytes() {
    return table.totalBytes();
  }

  /** The number of pieces. */
  public long count() {
    return table.pieces();
  }

  /** Whether packed bytes {@code from .. from + length} are one piece of memory. */
  public boolean contiguous(long from, long length) {
    if (length == 0 || (table.runs == 1 && table.counts[0] == 1)) {
      return true;
    }
    int run = table.runAtPacked(from);
    long inPiece = (from - table.packed[run]) % table.lengths[run];
    return inPiece + length <= table.lengths[run];
  }

  /**
   * The memory of packed bytes {@code from .. from + length}, which must be one piece (see {@link
   * #contiguous(long, long)}).
   */
  public MemorySegment slice(long from, long length) {
    if (length == 0) {
      return base.asSlice(0, 0);
    }
    return base.asSlice(offsetOf(from), length);
  }

  /** The offset in {@link #base} of packed byte {@code packed}. */
  public long offsetOf(long packed) {
    int run = table.runAtPacked(packed);
    long within = packed - table.packed[run];
    return table.offsets[run]
        + within / table.lengths[run] * table.strides[run]
        + within % table.lengths[run];
  }

  /** The bytes from packed byte {@code packed} on that lie in one piece of memory. */
  public long contiguousFrom(long packed) {
    int run = table.runAtPacked(packed);
    return table.lengths[run] - (packed - table.packed[run]) % table.lengths[run];
  }

  /** Copies packed bytes {@code from .. from + length} out to {@code target}. */
  public void copyOut(long from, MemorySegment target, long targetOffset, long length) {
    move(from, target, targetOffset, length, true);
  }

  /** Copies {@code length} bytes of {@code source} in to packed bytes from {@code from} on. */
  public void copyIn(long from, MemorySegment source, long sourceOffset, long length) {
    move(from, source, sourceOffset, length, false);
  }

  private void move(long from, MemorySegment other, long otherOffset, long length, boolean out) {
    if (length == 0) {
      return;
    }
    int run = table.runAtPacked(from);
    long done = 0;
    while (done < length) {
      long pieceLength = table.lengths[run];
      long within = from + done - table.packed[run];
      long piece = within / pieceLength;
      long skip = within - piece * pieceLength;
      long at = table.offsets[run] + piece * table.strides[run] + skip;
      for (; piece < table.counts[run] && done < length; piece++) {
        long part = Math.min(pieceLength - skip, length - done);
        if (out) {
          MemorySegment.copy(base, at, other, otherOffset + done, part);
        } else {
          MemorySegment.copy(other, otherOffset + done, base, at, part);
        }
        done += part;
        at += table.strides[run] - skip;
        skip = 0;
      }
      run++;
    }
  }

  @Override
  public String toString() {
    return "memory" + table;
  }

  /** Collects pieces in packed order. Thread rule: one thread. */
  public static final class Builder {

    private final MemorySegment base;
    private final RunTable.Builder table = new RunTable.Builder();

    private Builder(MemorySegment base) {
      this.base = base;
    }

    /**
     * Adds a piece; nothing if it is empty.
     *
     * @throws InvalidUseException if it is not within the segment
     */
    public Builder add(long offset, long length) {
      return addRun(offset, length, length, 1);
    }

    /** Adds {@code count} pieces, {@code stride} bytes (not negative) from start to start. */
    public Builder addRun(long offset, long length, long stride, long count) {
      boolean sane = offset >= 0 && length >= 0 && stride >= 0 && count >= 0;
      if (!sane || (length > 0 && count > 0 && last(offset, stride, count) + length > size())) {
        throw new InvalidUseException(
            "memory piece: actual=offset "
                + offset
                + ", length "
                + length
                + ", stride "
                + stride
                + ", count "
                + count
                + ", expected=within a buffer of "
                + size()
                + " bytes; pass a longer buffer");
      }
      if (stride < length) {
        for (long k = 0; k < count; k++) {
          table.add(offset + k * stride, length);
        }
      } else {
        table.addRun(offset, length, stride, count);
      }
      return this;
    }

    private static long last(long offset, long stride, long count) {
      return Math.addExact(offset, Math.multiplyExact(stride, count - 1));
    }

    private long size() {
      return base.byteSize();
    }

    /** The pieces that were added. */
    public MemoryExtents build() {
      return new MemoryExtents(base, table.build());
    }
  }
}
