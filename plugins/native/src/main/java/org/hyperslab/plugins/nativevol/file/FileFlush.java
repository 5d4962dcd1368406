package org.hyperslab.plugins.nativevol.file;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.superblock.Superblock;
import org.hyperslab.plugins.nativevol.space.Allocator;
import org.hyperslab.plugins.nativevol.space.MovableExtent;
import org.hyperslab.plugins.nativevol.space.PlacedEnds;
import org.hyperslab.plugins.nativevol.space.TailExtents;
import org.hyperslab.plugins.nativevol.space.TailMove;

/**
 * Makes the edits of one file durable: the superblock as edited, the components that hold edits,
 * and the order in which a flush and the last flush proceed. {@link NativeFile} states the promise
 * of a completed flush.
 *
 * <p>Thread rule: registration and extents in any thread, everything else under the file's write
 * lock.
 */
final class FileFlush {

  private final ByteStore store;
  private final long baseAddress;
  private final Allocator allocator;
  private final MetadataCache metadata;
  private final Committer committer;
  private final SuperblockExtension extension;
  private final RawData raw;
  private final Set<FlushParticipant> participants = ConcurrentHashMap.newKeySet();
  private final Map<Long, long[]> flushedExtents = new ConcurrentHashMap<>();
  private Superblock superblock;

  /**
   * Creates the flushes of a file.
   *
   * @param superblock the superblock as it was read, or that of a new file
   */
  FileFlush(
      ByteStore store,
      Superblock superblock,
      Allocator allocator,
      MetadataCache metadata,
      Committer committer,
      SuperblockExtension extension,
      RawData raw) {
    this.store = store;
    this.superblock = superblock;
    this.baseAddress = superblock.baseAddress();
    this.allocator = allocator;
    this.metadata = metadata;
    this.committer = committer;
    this.extension = extension;
    this.raw = raw;
  }

  /** Returns the superblock as edited. */
  Superblock superblock() {
    return superblock;
  }

  /** Replaces the superblock. */
  void setSuperblock(Superblock edited) {
    superblock = edited;
  }

  /**
   * Flushes, and marks the file as one whose readers follow its writer.
   *
   * @throws InvalidUseException if the superblock's version has no marks
   */
  void publishFromNow() {
    run();
    superblock = ConsistencyFlags.published(store, superblock);
    metadata.follow();
    allocator.setMostJournalledBytes(0);
    committer.publishFromNow(superblock);
  }

  /** Registers a component that holds edits. */
  void add(FlushParticipant participant) {
    participants.add(participant);
  }

  /** Unregisters a component, which must hold no edits. */
  void remove(FlushParticipant participant) {
    participants.remove(participant);
  }

  /** Records the extent that a dataset had at the last flush, before it changes. */
  void extentChanges(long header, long[] from) {
    flushedExtents.putIfAbsent(header, from.clone());
  }

  /** Returns the extent that a dataset had at the last flush, or null if it has not changed. */
  long[] flushedExtent(long header) {
    return flushedExtents.get(header);
  }

  /** Lets registered components write their edits. */
  void prepare() {
    participants.forEach(FlushParticipant::beforeFlush);
  }

  /**
   * Returns whether there are edits that no flush has made durable. Freeing space is one, also if
   * no block has changed: the space of an object that was deleted before is freed when its last
   * handle is closed.
   */
  boolean isDue() {
    boolean frees = !committer.publishes() && allocator.hasWaiting();
    return frees || !(metadata.clean() && committer.isCommitted(superblock));
  }

  /** Makes all edits durable. */
  void run() {
    prepare();
    metadata.runTasks();
    if (!committer.publishes()) {
      allocator.cutUnused();
    }
    flush(allocator.endOfFile());
  }

  /**
   * Makes all edits durable for the last time, and cuts free space at the end.
   *
   * @param movables returns the movable raw data of the dataset with a header address
   */
  void runLast(LongFunction<List<MovableExtent>> movables) {
    prepare();
    metadata.runTasks();
    shrink(movables);
    if (superblock.markedOpen()) {
      superblock = superblock.withConsistencyFlags(0);
    }
    long end = allocator.endOfFileWhenTrimmed();
    end = committer.publishes() ? end : extension.keepFreeSpace(end);
    flush(end);
    if (store.size() > baseAddress + end) {
      committer.restate(superblock);
      store.truncate(baseAddress + end);
    }
  }

  /**
   * Moves raw data from the end of the file, placed there during this opening, into free space, if
   * that allows the file to become much shorter. Freed space takes new data only after the flush
   * that makes its release durable, so without this a file would grow by all data replaced during
   * one opening.
   */
  private void shrink(LongFunction<List<MovableExtent>> movables) {
    long end = allocator.endOfFile();
    PlacedEnds datasets = raw.movableDatasets();
    if (committer.publishes() || datasets.size() == 0) {
      return;
    }
    if (!TailMove.isWorth(allocator.freeBytes(), end)) {
      return;
    }
    TailMove plan = allocator.planTailMove(new TailExtents(datasets, movables));
    if (plan.moves().isEmpty()
        || !TailMove.isWorth(allocator.endOfFileWhenTrimmed() - plan.end(), end)) {
      return;
    }
    flush(allocator.endOfFile());
    plan.moves().forEach(move -> allocator.claim(move.to(), move.extent().sizeBytes()));
    plan.moves().forEach(raw::move);
    metadata.runTasks();
  }

  private void flush(long end) {
    superblock = superblock.withEndOfFile(baseAddress + end);
    if (!isDue()) {
      committer.forceRaw();
      return;
    }
    committer.requireUncut();
    extension.beforeEndIsWritten(end);
    metadata.writeFresh();
    List<CachedBlock> overwritten = metadata.dirtyDurable();
    allocator.flushing();
    committer.commit(superblock, overwritten, baseAddress + allocator.endOfFile());
    metadata.written(overwritten);
    allocator.flushed(committer.publishes());
    flushedExtents.clear();
    raw.cutStore(superblock.endOfFile());
  }
}
