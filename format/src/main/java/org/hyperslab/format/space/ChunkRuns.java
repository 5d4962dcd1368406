package org.hyperslab.format.space;

/**
 * The runs of a selection in one chunk, as element offsets from the chunk's first element, with
 * their positions in the whole selection's order of transfer.
 *
 * <p>Thread rule: confined to one thread. Moving allocates nothing.
 */
final class ChunkRuns extends OrdinalRuns {

  /** A source of groups of runs. */
  sealed interface Source permits TreeChunkRuns, PointChunkRuns {
    /** Puts the next group into {@code into}; returns false at the end. */
    boolean load(ChunkRuns into);
  }

  private final Source source;
  private long offset;
  private long length;
  private long stride;
  private long repeats;
  private long ordinal;
  private long ordinalStride;

  ChunkRuns(Source source) {
    this.source = source;
  }

  @Override
  public boolean nextGroup() {
    return source.load(this);
  }

  /** Sets the first run of a group of one. */
  void set(long newOffset, long newLength, long newOrdinal) {
    offset = newOffset;
    length = newLength;
    ordinal = newOrdinal;
    stride = newLength;
    ordinalStride = newLength;
    repeats = 1;
  }

  /** Repeats the run that was set. */
  void repeat(long newRepeats, long newStride, long newOrdinalStride) {
    repeats = newRepeats;
    stride = newStride;
    ordinalStride = newOrdinalStride;
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
  public long stride() {
    return stride;
  }

  @Override
  public long repeats() {
    return repeats;
  }

  @Override
  public long ordinal() {
    return ordinal;
  }

  @Override
  public long ordinalStride() {
    return ordinalStride;
  }
}
