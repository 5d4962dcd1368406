package org.hyperslab.mpiio.access;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;

/**
 * The memory side of a transfer: pieces of one segment, in the packed order of the file's extents.
 * If the memory is one piece, packing is not needed. Pieces may lie in the segment in any order;
 * for a read they must not overlap.
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

  /**
   * {@return all of {@code segment}, already in packed order}
   *
   * @param segment the memory that the pieces are of
   */
  public static MemoryExtents contiguous(MemorySegment segment) {
    return builder(segment).add(0, segment.byteSize()).build();
  }

  /** {@return no memory, for a rank that takes part without data} */
  public static MemoryExtents none() {
    return new MemoryExtents(MemorySegment.NULL, RunTable.EMPTY);
  }

  /**
   * {@return pieces of {@code segment} by offset and length in bytes, in packed order}
   *
   * @param segment the memory that the pieces are of
   * @param offsets the offset of each, in bytes
   * @param lengths the length of each, in bytes
   */
  public static MemoryExtents of(MemorySegment segment, long[] offsets, long[] lengths) {
    Builder builder = builder(segment);
    for (int i = 0; i < offsets.length; i++) {
      builder.add(offsets[i], lengths[i]);
    }
    return builder.build();
  }

  /**
   * {@return a new builder of pieces of {@code segment}}
   *
   * @param segment the memory that the pieces are of
   */
  public static Builder builder(MemorySegment segment) {
    return new Builder(segment);
  }

  /**
   * {@return the same pieces of another segment of equal length}
   *
   * @param segment the other segment
   */
  public MemoryExtents of(MemorySegment segment) {
    if (segment.byteSize() != base.byteSize()) {
      throw new InvalidUseException(
          "memory: actual=" + segment.byteSize() + " bytes, expected=" + base.byteSize());
    }
    return new MemoryExtents(segment, table);
  }

  /** {@return the segment that the pieces are of} */
  public MemorySegment base() {
    return base;
  }

  /** {@return the sum of the pieces' lengths in bytes} */
  public long totalBytes() {
    return table.totalBytes();
  }

  /** {@return the number of pieces} */
  public long count() {
    return table.pieces();
  }

  /**
   * {@return whether packed bytes {@code from .. from + length} are contiguous in memory}
   *
   * @param from the first packed byte
   * @param length the length in bytes
   */
  public boolean contiguous(long from, long length) {
    if (length == 0 || (table.runs == 1 && table.counts[0] == 1)) {
      return true;
    }
    int run = table.runAtPacked(from);
    long inPiece = (from - table.packed[run]) % table.lengths[run];
    return inPiece + length <= table.lengths[run];
  }

  /**
   * {@return the memory of packed bytes {@code from .. from + length}, which must be {@linkplain
   * #contiguous(long, long) contiguous}}
   *
   * @param from the first packed byte
   * @param length the length in bytes
   */
  public MemorySegment slice(long from, long length) {
    if (length == 0) {
      return base.asSlice(0, 0);
    }
    return base.asSlice(offsetOf(from), length);
  }

  /**
   * {@return the offset in {@link #base} of packed byte {@code packed}}
   *
   * @param packed the packed position of a byte
   */
  public long offsetOf(long packed) {
    int run = table.runAtPacked(packed);
    long within = packed - table.packed[run];
    return table.offsets[run]
        + within / table.lengths[run] * table.strides[run]
        + within % table.lengths[run];
  }

  /**
   * {@return the number of bytes from packed byte {@code packed} on that are contiguous in memory}
   *
   * @param packed the packed position of a byte
   */
  public long contiguousFrom(long packed) {
    int run = table.runAtPacked(packed);
    return table.lengths[run] - (packed - table.packed[run]) % table.lengths[run];
  }

  /**
   * Copies packed bytes {@code from .. from + length} out to {@code target}.
   *
   * @param from the first packed byte
   * @param target the segment that receives the bytes
   * @param targetOffset the offset in {@code target}
   * @param length the length in bytes
   */
  public void copyOut(long from, MemorySegment target, long targetOffset, long length) {
    move(from, target, targetOffset, length, true);
  }

  /**
   * Copies {@code length} bytes of {@code source} to the packed bytes from {@code from} on.
   *
   * @param from the first packed byte
   * @param source the segment with the bytes
   * @param sourceOffset the offset in {@code source}
   * @param length the length in bytes
   */
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
     * Adds a piece. Adds nothing if it is empty.
     *
     * @param offset the offset of the (first) piece, in bytes
     * @param length the length in bytes
     * @return this builder
     * @throws InvalidUseException if it is not within the segment
     */
    public Builder add(long offset, long length) {
      return addRun(offset, length, length, 1);
    }

    /**
     * Adds {@code count} pieces, {@code stride} bytes (not negative) from start to start.
     *
     * @param offset the offset of the (first) piece, in bytes
     * @param length the length in bytes
     * @param stride bytes from the start of one piece to the start of the next
     * @param count how many pieces
     * @return this builder
     */
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

    /** {@return the pieces that were added} */
    public MemoryExtents build() {
      return new MemoryExtents(base, table.build());
    }
  }
}
