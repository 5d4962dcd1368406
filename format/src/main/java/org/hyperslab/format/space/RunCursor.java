package org.hyperslab.format.space;

/**
 * Iterates over the runs of contiguous elements of a selection, in the order of transfer. Adjacent
 * runs are merged, also across rows.
 *
 * <p>There are three ways of moving, which may be mixed: {@link #next()} returns one run, {@link
 * #next(long[], long[])} a batch of runs, and {@link #nextGroup()} a group of equal runs at equal
 * distances, for copy loops with a stride. Offsets and lengths count elements.
 *
 * <p>Thread rule: confined to one thread. Moving allocates nothing.
 */
public abstract sealed class RunCursor extends OrdinalRuns
    permits TreeRunCursor, RegularRunCursor, PointRunCursor {

  /** The present group, of which {@code repeats} runs have not been returned yet. */
  private final RunGroup current = new RunGroup();

  /** The group after it, which shows whether runs touch. */
  private final RunGroup ahead = new RunGroup();

  /** The group after that, used only while the last run of a group is split off. */
  private final RunGroup held = new RunGroup();

  /** The remainder of a group that was cut by the first or the last ordinal. */
  private final RunGroup rest = new RunGroup();

  /** The group that {@link #loadRaw} found. */
  final RunGroup raw = new RunGroup();

  /** The number of elements of the next raw group to skip. */
  private long skip;

  /** The number of elements still to be loaded. */
  private long remaining;

  // The part that the caller sees.
  private long offset;
  private long length;
  private long stride;
  private long repeats;
  private long ordinal;
  private long nextOrdinal;

  RunCursor() {}

  /**
   * Puts the next group of the selection, unmerged, into {@link #raw}; returns false at the end.
   */
  abstract boolean loadRaw();

  /**
   * Moves to the group that contains an ordinal and returns the number of its elements before it.
   */
  abstract long position(long firstOrdinal);

  /** Returns the number of elements of the whole selection. */
  abstract long total();

  /** Restarts at an ordinal, for at most {@code count} elements. */
  final void seek(long firstOrdinal, long count) {
    forget();
    remaining = Math.max(0, Math.min(count, total() - firstOrdinal));
    nextOrdinal = firstOrdinal;
    skip = remaining == 0 ? 0 : position(firstOrdinal);
    load();
  }

  /**
   * Restarts at the beginning of the run that contains an ordinal, so that the group keeps its
   * shape.
   *
   * @return the number of elements of the run before the ordinal
   */
  final long seekRun(long wantedOrdinal) {
    forget();
    remaining = Math.max(0, total() - wantedOrdinal);
    nextOrdinal = wantedOrdinal;
    if (remaining == 0 || !prepareRaw(position(wantedOrdinal))) {
      return 0;
    }
    long inside = skip % raw.length;
    skip -= inside;
    remaining += inside;
    nextOrdinal -= inside;
    load();
    return inside;
  }

  /**
   * Loads the first raw group as a remainder, to be cut by the given number of elements; returns
   * false if there is none.
   */
  private boolean prepareRaw(long elements) {
    skip = elements;
    if (!loadRaw()) {
      return false;
    }
    rest.copy(raw);
    return true;
  }

  private void forget() {
    current.clear();
    ahead.clear();
    held.clear();
    rest.clear();
  }

  /**
   * Moves to the next run; returns false at the end.
   *
   * @return whether there is a next run
   */
  public final boolean next() {
    if (current.isEmpty() && !fill()) {
      return false;
    }
    offset = current.offset;
    length = current.length;
    repeats = 1;
    ordinal = nextOrdinal;
    nextOrdinal += current.length;
    current.offset += current.stride;
    current.repeats--;
    return true;
  }

  /**
   * Returns the next runs.
   *
   * @param offsets receives their element offsets
   * @param lengths receives their lengths in elements, at the same indices; as long as offsets
   * @return the number of runs returned: fewer than the arrays hold only at the end, 0 if none are
   *     left
   */
  public final int next(long[] offsets, long[] lengths) {
    int taken = 0;
    while (taken < offsets.length && (!current.isEmpty() || fill())) {
      int number = (int) Math.min(offsets.length - taken, current.repeats);
      long at = current.offset;
      for (int i = taken; i < taken + number; i++) {
        offsets[i] = at;
        lengths[i] = current.length;
        at += current.stride;
      }
      current.offset = at;
      current.repeats -= number;
      nextOrdinal += number * current.length;
      taken += number;
    }
    return taken;
  }

  @Override
  public final boolean nextGroup() {
    if (current.isEmpty() && !fill()) {
      return false;
    }
    offset = current.offset;
    length = current.length;
    stride = current.stride;
    repeats = current.repeats;
    ordinal = nextOrdinal;
    nextOrdinal += current.length * current.repeats;
    current.clear();
    return true;
  }

  /** Returns the element offset of the run, or of the first run of the group. */
  @Override
  public final long offset() {
    return offset;
  }

  /** Returns the number of elements in the run, or in each run of the group. */
  @Override
  public final long length() {
    return length;
  }

  /**
   * Returns the distance in elements from the start of one run to that of the next, after {@link
   * #nextGroup()}.
   */
  @Override
  public final long stride() {
    return stride;
  }

  /** Returns the number of runs of the group; 1 after {@link #next()}. */
  @Override
  public final long repeats() {
    return repeats;
  }

  @Override
  public final long ordinal() {
    return ordinal;
  }

  /** Returns {@link #length()}, because runs follow each other in the order of transfer. */
  @Override
  public final long ordinalStride() {
    return length;
  }

  private boolean fill() {
    if (ahead.isEmpty()) {
      return false;
    }
    current.copy(ahead);
    if (!held.isEmpty()) {
      ahead.move(held);
    } else {
      load();
    }
    while (!ahead.isEmpty() && current.touches(ahead)) {
      if (current.repeats > 1) {
        splitLastRun();
        return true;
      }
      current.length += ahead.length;
      ahead.drop(1);
      if (ahead.isEmpty()) {
        load();
      }
    }
    return true;
  }

  private void splitLastRun() {
    held.copy(ahead);
    current.repeats--;
    long lastOffset = current.offset + current.repeats * current.stride;
    ahead.set(lastOffset, current.length, current.length, 1);
  }

  /** Loads the next group, cut by the first ordinal and by the number of elements wanted. */
  private void load() {
    ahead.clear();
    if (remaining == 0) {
      return;
    }
    if (!rest.isEmpty()) {
      raw.move(rest);
    } else if (!loadRaw()) {
      remaining = 0;
      return;
    }
    if (skip > 0) {
      cutBeginning();
    }
    ahead.copy(raw);
    if (raw.length * raw.repeats > remaining) {
      cutEnd();
    }
    remaining -= ahead.length * ahead.repeats;
  }

  private void cutBeginning() {
    long runs = skip / raw.length;
    long inside = skip - runs * raw.length;
    skip = 0;
    raw.drop(runs);
    if (inside > 0) {
      rest.copy(raw);
      rest.drop(1);
      raw.set(raw.offset + inside, raw.length - inside, raw.stride, 1);
    }
  }

  private void cutEnd() {
    long whole = remaining / raw.length;
    if (whole == 0) {
      ahead.length = remaining;
      ahead.repeats = 1;
    } else {
      ahead.repeats = whole;
      rest.set(raw.offset + whole * raw.stride, raw.length, raw.stride, 1);
    }
  }
}
