package org.hyperslab.plugins.compacting;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.space.Selection;

/**
 * What the writes ahead of a read hold of it: the copies that give that part, and the part that is
 * in the storage already, for nothing ahead is still to write it.
 *
 * @param thefts the copies
 * @param writes the writes that they are made from
 * @param left what is to be read, in elements of the read; no runs if the copies are all
 * @param rest the same as a selection
 */
record Ahead(List<Plan.Theft> thefts, List<Entry> writes, RunList left, Selection rest) {

  /** Runs of one request, at most, that are looked at. */
  private static final int MOST_RUNS = 256;

  /** In a map of writes: one whose elements cannot be had before it has been carried out. */
  private static final int HELD_BACK = -1;

  /** In a map of writes: one that has been carried out. */
  private static final int WRITTEN = -2;

  /** Looks through what is ahead; called with the lane's lock. */
  private static final class Look {
    final ReadRequest read;
    final SegmentMap latest = new SegmentMap();
    final List<Entry> writes = new ArrayList<>();
    final List<Plan.Theft> thefts = new ArrayList<>();
    final RunList left = new RunList();
    boolean waits;

    Look(ReadRequest read) {
      this.read = read;
    }

    /** Lays a write over those before it; false if there is no telling what it leaves. */
    boolean lay(Entry entry) {
      if (!(entry.request instanceof WriteRequest write)
          || !write.region().hasExtentOf(read.region())) {
        return false;
      }
      boolean gives = !entry.ended && write.kind().stored() && write.kind().equals(read.kind());
      int source = gives ? writes.size() : entry.ended ? WRITTEN : HELD_BACK;
      if (gives) {
        writes.add(entry);
      }
      return write
          .region()
          .forEachRun(
              MOST_RUNS,
              (offset, length, ordinal) -> latest.put(offset, offset + length, source, ordinal));
    }

    /** Goes through one run of the read. */
    void take(long offset, long length, long ordinal) {
      long[] at = {offset};
      latest.forEachIn(
          offset,
          offset + length,
          (start, end, source, from) -> {
            if (source >= 0) {
              leave(at[0], start, ordinal + at[0] - offset);
              steal(
                  (WriteRequest) writes.get(source).request,
                  from,
                  ordinal + start - offset,
                  end - start);
              at[0] = end;
            }
            waits |= source == HELD_BACK;
          });
      leave(at[0], offset + length, ordinal + at[0] - offset);
    }

    private void steal(WriteRequest write, long from, long to, long elements) {
      int bytes = read.kind().bytes();
      thefts.add(
          new Plan.Theft(
              new Piece(write, from * bytes, elements * bytes),
              new Piece(read, to * bytes, elements * bytes)));
    }

    private void leave(long from, long to, long ordinal) {
      if (from < to) {
        left.run(from, to - from, ordinal);
      }
    }

    Selection rest() {
      if (thefts.isEmpty()) {
        return read.region().selection();
      }
      List<Selection> parts = new ArrayList<>();
      for (int i = 0; i < left.size(); i++) {
        long from = left.offset(i);
        parts.add(read.region().within(from, from + left.length(i)).selection());
      }
      return parts.isEmpty() ? Selection.none() : Selection.union(parts);
    }
  }

  /**
   * Looks for what answers a read.
   *
   * @param ahead what came before it, the oldest first where they overlap
   * @return null if it has to wait for something
   */
  static Ahead of(ReadRequest read, List<? extends Iterable<Entry>> ahead) {
    Look look = new Look(read);
    for (Iterable<Entry> some : ahead) {
      for (Entry entry : some) {
        if (entry.conflictsWith(read.region(), false) && !look.lay(entry)) {
          return null;
        }
      }
    }
    boolean all = read.region().forEachRun(MOST_RUNS, look::take);
    if (!all || look.waits || look.left.size() > MOST_RUNS) {
      return null;
    }
    return new Ahead(look.thefts, look.writes, look.left, look.rest());
  }
}
