package org.hyperslab.plugins.compacting.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.format.space.Selection;

/**
 * The overlap of a read with earlier writes: the elements that can be copied from the writes'
 * buffers, and the rest, which the storage already holds because no earlier write is still to
 * change it.
 *
 * <p>Thread rule: immutable.
 *
 * @param <E> identifies a write for the caller
 */
public final class PendingOverlap<E> {

  /** The largest number of runs of one request that are examined. */
  private static final int MAX_RUNS = 256;

  /**
   * Stands, in a map of writes, for a write whose elements are not available before it is carried
   * out.
   */
  private static final int UNAVAILABLE = -1;

  /** Stands, in a map of writes, for a write that has been carried out. */
  private static final int CARRIED_OUT = -2;

  private final ReadRequest read;
  private final List<Plan.Copy> copies;
  private final List<E> writes;
  private final RunList left;
  private final Selection selection;

  private PendingOverlap(Builder<E> found) {
    this.read = found.read;
    this.copies = List.copyOf(found.copies);
    this.writes = List.copyOf(found.writes);
    this.left = found.left;
    this.selection = found.remainingSelection();
  }

  /** {@return the copies that supply a part of the read} */
  public List<Plan.Copy> copies() {
    return copies;
  }

  /** {@return the writes that the copies are made from, oldest first} */
  public List<E> writes() {
    return writes;
  }

  /** {@return whether the copies supply the whole read} */
  public boolean isWhole() {
    return left.size() == 0;
  }

  /**
   * Returns the elements that must be read from the storage.
   *
   * @param order the position of the read among those it is merged with
   * @return those elements
   */
  public RemainingRead remaining(int order) {
    return new RemainingRead(order, read, left, selection);
  }

  /**
   * Determines the overlap of a read. Add the conflicting writes, the oldest first.
   *
   * <p>Thread rule: confined to one thread.
   *
   * @param <E> identifies a write for the caller
   */
  public static final class Builder<E> {
    private final ReadRequest read;
    private final SegmentMap latest = new SegmentMap();
    private final List<E> writes = new ArrayList<>();
    private final List<WriteRequest> requests = new ArrayList<>();
    private final List<Plan.Copy> copies = new ArrayList<>();
    private final RunList left = new RunList();
    private boolean mustWait;

    /**
     * Creates a builder without earlier writes.
     *
     * @param read the read
     */
    public Builder(ReadRequest read) {
      this.read = read;
    }

    /**
     * Adds a write that is later than those added before.
     *
     * @param holder identifies the write for the caller
     * @param write the write
     * @param carriedOut whether the write has been carried out, so that its buffer must not be used
     * @return false if the read has to wait because the overlap cannot be determined
     */
    public boolean add(E holder, WriteRequest write, boolean carriedOut) {
      if (!write.region().hasExtentOf(read.region())) {
        return false;
      }
      boolean available = !carriedOut && write.kind().stored() && write.kind().equals(read.kind());
      int source = available ? writes.size() : carriedOut ? CARRIED_OUT : UNAVAILABLE;
      if (available) {
        writes.add(holder);
        requests.add(write);
      }
      return write
          .region()
          .forEachRun(
              MAX_RUNS,
              (offset, length, ordinal) -> latest.put(offset, offset + length, source, ordinal));
    }

    /**
     * Determines the overlap.
     *
     * @return the overlap, or empty if the read has to wait
     */
    public Optional<PendingOverlap<E>> build() {
      boolean all = read.region().forEachRun(MAX_RUNS, this::take);
      if (!all || mustWait || left.size() > MAX_RUNS) {
        return Optional.empty();
      }
      return Optional.of(new PendingOverlap<>(this));
    }

    private void take(long offset, long length, long ordinal) {
      long[] at = {offset};
      latest.forEachIn(
          offset,
          offset + length,
          (start, end, source, from) -> {
            if (source >= 0) {
              remove(at[0], start, ordinal + at[0] - offset);
              copy(requests.get(source), from, ordinal + start - offset, end - start);
              at[0] = end;
            }
            mustWait |= source == UNAVAILABLE;
          });
      remove(at[0], offset + length, ordinal + at[0] - offset);
    }

    private void copy(WriteRequest write, long from, long to, long elements) {
      int bytes = read.kind().bytes();
      copies.add(
          new Plan.Copy(
              new RequestPiece(write, from * bytes, elements * bytes),
              new RequestPiece(read, to * bytes, elements * bytes)));
    }

    private void remove(long from, long to, long ordinal) {
      if (from < to) {
        left.run(from, to - from, ordinal);
      }
    }

    private Selection remainingSelection() {
      if (copies.isEmpty()) {
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
}
