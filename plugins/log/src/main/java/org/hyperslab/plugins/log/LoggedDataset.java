package org.hyperslab.plugins.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.plugins.compacting.plan.DataKey;
import org.hyperslab.plugins.compacting.plan.ElementKind;
import org.hyperslab.plugins.compacting.plan.Region;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.Handle;

/**
 * An open dataset of a logged file: its type and extent, and its elements that are in the log only,
 * in the order in which they were written.
 *
 * <p>Thread rule: any thread.
 */
final class LoggedDataset {

  private final DataKey key;
  private final long born;
  private final Deque<LoggedWrite> pending = new ArrayDeque<>();
  private final Deque<Handle> writers = new ArrayDeque<>();
  private long pendingBytes;
  private volatile LogMigration.Target target;
  private volatile Datatype stored;
  private volatile Dataspace space;
  private volatile boolean plain;
  private volatile boolean elsewhere;
  private volatile boolean linked = true;
  private long resized;
  private long[] kept;

  /**
   * Creates the state of a dataset.
   *
   * @param key the dataset
   * @param born the mark that will commit its creation; 0 if it existed when the log began
   * @param info its properties
   */
  LoggedDataset(DataKey key, long born, DatasetInfo info) {
    this.key = key;
    this.born = born;
    learn(info);
  }

  /** Updates type, extent and layout. */
  void learn(DatasetInfo info) {
    this.elsewhere =
        switch (info.options().layout()) {
          case Layout.Virtual _, Layout.External _ -> true;
          case Layout.Auto _, Layout.Compact _, Layout.Contiguous _, Layout.Chunked _ -> false;
        };
    this.plain =
        !elsewhere
            && info.space().kind() != Dataspace.Kind.NULL
            && !info.type().hasOutOfLineParts();
    this.stored = info.type().inMemory();
    this.target = LogMigration.Target.of(key, info);
    this.space = info.space();
    resize();
  }

  private synchronized void resize() {
    long[] dims = space.dims();
    if (!pending.isEmpty() && !Arrays.equals(pending.peek().region().extent(), dims)) {
      List<LoggedWrite> resized = pending.stream().map(each -> each.withExtent(dims)).toList();
      pending.clear();
      pending.addAll(resized);
    }
  }

  DataKey key() {
    return key;
  }

  long born() {
    return born;
  }

  /** {@return whether its elements may be in other files or datasets} */
  boolean isElsewhere() {
    return elsewhere;
  }

  synchronized void opened(Handle writer) {
    writers.add(writer);
  }

  synchronized void closed(Handle writer) {
    writers.remove(writer);
  }

  /** {@return a handle of a program with which it can be edited, if there is one} */
  synchronized Optional<Handle> writer() {
    return Optional.ofNullable(writers.peek());
  }

  /**
   * Records a change of extent.
   *
   * @param before the extent before
   * @param mark the mark that will commit it
   * @param flushed the mark of the last flush of the part
   */
  synchronized void resized(long[] before, long mark, long flushed) {
    long[] after = space.dims();
    long[] from = resized > flushed ? kept : before;
    kept = after.clone();
    for (int d = 0; d < after.length; d++) {
      kept[d] = Math.min(from[d], after[d]);
    }
    resized = mark;
  }

  /**
   * {@return those of some elements that have been there since the last flush of the part}
   *
   * @param region the elements
   * @param flushed the mark of that flush
   */
  synchronized Region since(Region region, long flushed) {
    return resized > flushed
        ? Region.of(
            region.selection().and(Selection.box(new long[kept.length], kept)), space.dims())
        : region;
  }

  /** {@return whether it stays when its last handle is closed} */
  boolean isLinked() {
    return linked;
  }

  /** Records whether it is known to have a link. */
  void linked(boolean is) {
    linked = is;
  }

  Datatype type() {
    return stored;
  }

  Dataspace space() {
    return space;
  }

  LogMigration.Target target() {
    return target;
  }

  ElementKind kind() {
    return new ElementKind(stored, true);
  }

  /**
   * {@return the elements that a transfer moves, if it needs no conversion and the log can hold
   * them} The connector below reports what is wrong with any other transfer.
   */
  Optional<Region> region(Transfer transfer, DataBuffer buffer) {
    if (!plain || transfer.options().collective() || !transfer.memoryType().equals(stored)) {
      return Optional.empty();
    }
    try {
      Dataspace extent = space;
      return transfer.requireFits(extent, buffer) == 0
          ? Optional.empty()
          : Optional.of(Region.of(transfer.fileSelection(), extent.dims()));
    } catch (InvalidUseException | ArithmeticException wrong) {
      return Optional.empty();
    }
  }

  /** Adds what was appended to the log last. */
  synchronized void add(LoggedWrite write) {
    pending.add(write);
    pendingBytes += write.place().payloadBytes();
  }

  synchronized boolean isPending() {
    return !pending.isEmpty();
  }

  synchronized int pendingCount() {
    return pending.size();
  }

  synchronized long pendingBytes() {
    return pendingBytes;
  }

  /** {@return whether elements are pending that no mark up to a given one commits} */
  synchronized boolean isPendingAfter(long mark) {
    return !pending.isEmpty() && pending.peekLast().mark() > mark;
  }

  /** {@return the pending writes that overlap a region, oldest first} */
  synchronized List<LoggedWrite> overlapping(Region region) {
    List<LoggedWrite> found = new ArrayList<>();
    for (LoggedWrite write : pending) {
      if (write.region().overlaps(region)) {
        found.add(write);
      }
    }
    return found;
  }

  /**
   * {@return the oldest pending writes, up to a number of bytes, that marks up to a given one
   * commit; at least one if there is any}
   */
  synchronized List<LoggedWrite> oldest(long bytes, long mark) {
    List<LoggedWrite> batch = new ArrayList<>();
    long sum = 0;
    for (LoggedWrite write : pending) {
      sum += write.place().payloadBytes();
      if (write.mark() > mark || !batch.isEmpty() && sum > bytes) {
        break;
      }
      batch.add(write);
    }
    return batch;
  }

  /** Forgets the oldest pending writes, which are in the part now. */
  synchronized void migrated(List<LoggedWrite> batch) {
    for (LoggedWrite write : batch) {
      pending.remove();
      pendingBytes -= write.place().payloadBytes();
    }
  }
}
