package org.hyperslab.format.space;

/**
 * Iterates the runs of contiguous elements of a selection in the order of transfer. Runs that touch
 * are one run, also from row to row.
 *
 * <p>Three ways of moving, which may be mixed: {@link #next()} one run at a time, {@link
 * #next(long[], long[])} a batch, {@link #nextGroup()} a group of equal runs at equal distances,
 * for copy loops with a stride. Offsets and lengths count elements.
 *
 * <p>Thread rule: confined to one thread. Nothing is allocated by moving.
 */
public abstract sealed class RunCursor extends OrdinalRuns permits TreeRunCursor, PointRunCursor {

  // The present group, of which `currentRepeats` runs are still to be handed out.
  private long currentOffset;
  private long currentLength;
  private long currentStride;
  private long currentRepeats;

  // The group after it, needed to see whether runs touch; nothing if aheadRepeats is 0.
  private long aheadOffset;
  private long aheadLength;
  private long aheadStride;
  private long aheadRepeats;

  // The group after that, only while the last run of a group was split off.
  private long heldOffset;
  private long heldLength;
  private long heldStride;
  private long heldRepeats;

  // The rest of a group that was cut by the first ordinal or the last.
  private long restOffset;
  private long restLength;
  private long restStride;
  private long restRepeats;

  /** Elements of the next raw group to pass over. */
  private long skip;

  /** Elements still to be loaded. */
  private long remaining;

  // What the caller sees.
  private long offset;
  private long length;
  private long stride;
  private long repeats;
  private long ordinal;
  private long nextOrdinal;

  // What loadRaw() found.
  long rawOffset;
  long rawLength;
  long rawStride;
  long rawRepeats;

  RunCursor() {}

  /** Puts the next group of the selection, unmerged, into the raw fields; false at the end. */
  abstract boolean loadRaw();

  /** Goes to the group that holds an ordinal and returns how many of its elements come before. */
  abstract long position(long firstOrdinal);

  /** The number of elements of the whole selection. */
  abstract long total();

  /** Starts again at an ordinal, for at most {@code count} elements. */
  final void seek(long firstOrdinal, long count) {
    forget();
    remaining = Math.max(0, Math.min(count, total() - firstOrdinal));
    nextOrdinal = firstOrdinal;
    skip = remaining == 0 ? 0 : position(firstOrdinal);
    load();
  }

  /**
   * Starts again at the beginning of a run that holds an ordinal, so that the group keeps its
   * shape.
   *
   * @return the elements of the run before the ordinal
   */
  final long seekRun(long wantedOrdinal) {
    forget();
    remaining = Math.max(0, total() - wantedOrdinal);
    nextOrdinal = wantedOrdinal;
    if (remaining == 0 || !prepareRaw(position(wantedOrdinal))) {
      return 0;
    }
    long inside = skip % rawLength;
    skip -= inside;
    remaining += inside;
    nextOrdinal -= inside;
    load();
    return inside;
  }

  /** Loads the first raw group as a rest, to be cut by so many elements; false if there is none. */
  private boolean prepareRaw(long elements) {
    skip = elements;
    if (!loadRaw()) {
      return false;
    }
    restOffset = rawOffset;
    restLength = rawLength;
    restStride = rawStride;
    restRepeats = rawRepeats;
    return true;
  }

  private void forget() {
    currentRepeats = 0;
    aheadRepeats = 0;
    heldRepeats = 0;
    restRepeats = 0;
  }

  /**
   * Moves to the next run; false at the end.
   *
   * @return whether there is a next run
   */
  public final boolean next() {
    if (currentRepeats == 0 && !fill()) {
      return false;
    }
    offset = currentOffset;
    length = currentLength;
    repeats = 1;
    ordinal = nextOrdinal;
    nextOrdinal += currentLength;
    currentOffset += currentStride;
    currentRepeats--;
    return true;
  }

  /**
   * Takes the next runs.
   *
   * @param offsets receives their element offsets
   * @param lengths receives their lengths in elements, at the same indices; as long as offsets
   * @return how many were taken: fewer than the arrays hold only at the end, 0 when nothing is left
   */
  public final int next(long[] offsets, long[] lengths) {
    int taken = 0;
    while (taken < offsets.length && (currentRepeats > 0 || fill())) {
      int number = (int) Math.min(offsets.length - taken, currentRepeats);
      long at = currentOffset;
      for (int i = taken; i < taken + number; i++) {
        offsets[i] = at;
        lengths[i] = currentLength;
        at += currentStride;
      }
      currentOffset = at;
      currentRepeats -= number;
      nextOrdinal += number * currentLength;
      taken += number;
    }
    return taken;
  }

  @Override
  public final boolean nextGroup() {
    if (currentRepeats == 0 && !fill()) {
      return false;
    }
    offset = currentOffset;
    length = currentLength;
    stride = currentStride;
    repeats = currentRepeats;
    ordinal = nextOrdinal;
    nextOrdinal += currentLength * currentRepeats;
    currentRepeats = 0;
    return true;
  }

  /** The element offset of the run, or of the first run of the group. */
  @Override
  public final long offset() {
    return offset;
  }

  /** The elements of the run, or of each run of the group. */
  @Override
  public final long length() {
    return length;
  }

  /** The elements from the start of one run to that of the next, after {@link #nextGroup()}. */
  @Override
  public final long stride() {
    return stride;
  }

  /** The number of runs of the group; 1 after {@link #next()}. */
  @Override
  public final long repeats() {
    return repeats;
  }

  @Override
  public final long ordinal() {
    return ordinal;
  }

  /** The same as {@link #length()}: runs follow each other in the order of transfer. */
  @Override
  public final long ordinalStride() {
    return length;
  }

  private boolean fill() {
    if (aheadRepeats == 0) {
      return false;
    }
    currentOffset = aheadOffset;
    currentLength = aheadLength;
    currentStride = aheadStride;
    currentRepeats = aheadRepeats;
    if (heldRepeats > 0) {
      aheadOffset = heldOffset;
      aheadLength = heldLength;
      aheadStride = heldStride;
      aheadRepeats = heldRepeats;
      heldRepeats = 0;
    } else {
      load();
    }
    while (aheadRepeats > 0 && touchesAhead()) {
      if (currentRepeats > 1) {
        splitLastRun();
        return true;
      }
      currentLength += aheadLength;
      aheadOffset += aheadStride;
      if (--aheadRepeats == 0) {
        load();
      }
    }
    return true;
  }

  private boolean touchesAhead() {
    return aheadOffset == currentOffset + (currentRepeats - 1) * currentStride + currentLength;
  }

  private void splitLastRun() {
    heldOffset = aheadOffset;
    heldLength = aheadLength;
    heldStride = aheadStride;
    heldRepeats = aheadRepeats;
    currentRepeats--;
    aheadOffset = currentOffset + currentRepeats * currentStride;
    aheadLength = currentLength;
    aheadStride = currentLength;
    aheadRepeats = 1;
  }

  /** Loads the group ahead, cut by the first ordinal and by the number of elements wanted. */
  private void load() {
    aheadRepeats = 0;
    if (remaining == 0) {
      return;
    }
    if (restRepeats > 0) {
      rawOffset = restOffset;
      rawLength = restLength;
      rawStride = restStride;
      rawRepeats = restRepeats;
      restRepeats = 0;
    } else if (!loadRaw()) {
      remaining = 0;
      return;
    }
    if (skip > 0) {
      cutBeginning();
    }
    aheadOffset = rawOffset;
    aheadLength = rawLength;
    aheadStride = rawStride;
    aheadRepeats = rawRepeats;
    if (rawLength * rawRepeats > remaining) {
      cutEnd();
    }
    remaining -= aheadLength * aheadRepeats;
  }

  private void cutBeginning() {
    long runs = skip / rawLength;
    long inside = skip - runs * rawLength;
    skip = 0;
    rawOffset += runs * rawStride;
    rawRepeats -= runs;
    if (inside > 0) {
      restOffset = rawOffset + rawStride;
      restLength = rawLength;
      restStride = rawStride;
      restRepeats = rawRepeats - 1;
      rawOffset += inside;
      rawLength -= inside;
      rawRepeats = 1;
    }
  }

  private void cutEnd() {
    long whole = remaining / rawLength;
    if (whole == 0) {
      aheadLength = remaining;
      aheadRepeats = 1;
    } else {
      aheadRepeats = whole;
      restOffset = rawOffset + whole * rawStride;
      restLength = rawLength;
      restStride = rawStride;
      restRepeats = 1;
    }
  }
}
