package org.hyperslab.plugins.nativevol.file;

import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.superblock.Superblock;
import org.hyperslab.format.superblock.SuperblockCodec;
import org.hyperslab.plugins.nativevol.store.SplitView;

/**
 * Replaces the file's state of the last flush by the edited state, atomically. All blocks in space
 * that nothing durable refers to are in the store before {@link #commit} is called; the superblock
 * and the blocks that are overwritten in place remain:
 *
 * <ol>
 *   <li>If only the superblock was edited, it is written directly, for it is smaller than the
 *       sector that storage writes atomically. Otherwise the committer
 *   <li>writes a {@link Journal} of the new content of every overwritten block, including the
 *       superblock, beyond the end of the file;
 *   <li>writes the journal's marker over the signature of the superblock, which commits the edits.
 *       From then on the HDF5 library does not recognize the file as HDF5, and opening it here
 *       applies the journal, or reads through it if the file may not be changed. The committer then
 *       applies the journal in place;
 *   <li>writes the superblock, and truncates the journal.
 * </ol>
 *
 * <p>Each step is durable before the next begins. If readers of other processes follow the file,
 * there is no journal, because the file must always be readable for them.
 *
 * <p>Thread rule: under the file's write lock, except {@link #rawWritten}.
 */
final class Committer {

  private final ByteStore store;
  private final FileGeometry geometry;
  private final long baseAddress;
  private final boolean durable;
  private volatile boolean publishes;
  private final Consumer<Throwable> broken;

  /** Whether this opening has stored a superblock. */
  private boolean commits;

  private volatile boolean rawWritten;
  private Superblock committed;

  /**
   * Creates the committer of one open file.
   *
   * @param baseAddress the number of bytes before the superblock
   * @param durable whether each step waits until storage has made it durable
   * @param publishes whether readers of other processes follow the file
   * @param broken called with a failure that leaves the content of the store unknown
   */
  Committer(
      ByteStore store,
      FileGeometry geometry,
      long baseAddress,
      boolean durable,
      boolean publishes,
      Consumer<Throwable> broken) {
    this.store = store;
    this.geometry = geometry;
    this.baseAddress = baseAddress;
    this.durable = durable;
    this.publishes = publishes;
    this.broken = broken;
  }

  /** Returns whether readers of other processes follow the file. */
  boolean publishes() {
    return publishes;
  }

  /** Lets readers of other processes follow the file from now on. Everything is flushed. */
  void publishFromNow(Superblock marked) {
    committed = marked;
    publishes = true;
  }

  /** Sets the superblock that the store holds. */
  void committed(Superblock superblock) {
    committed = superblock;
  }

  /** Returns whether the store holds that superblock. */
  boolean isCommitted(Superblock superblock) {
    return superblock.equals(committed);
  }

  /** Records that raw data was written that a flush must make durable. Any thread. */
  void rawWritten() {
    rawWritten = true;
  }

  /**
   * Stores the superblock again, unless this opening has stored one. An earlier opening may have
   * failed to force it; what the store shows is then not what is on storage, where an older
   * superblock may still need what lies after the end of the file.
   */
  void restate(Superblock superblock) {
    if (!commits) {
      store.write(baseAddress, encoded(superblock));
      force();
      commits = true;
    }
  }

  /** {@return whether raw data was written that no flush has made durable} */
  boolean rawWaits() {
    return rawWritten;
  }

  /** Makes raw data durable, if any was written. */
  void forceRaw() {
    if (rawWritten) {
      force();
    }
  }

  /**
   * Requires that no other program has cut the file, which would get zeros where its content was.
   */
  void requireUncut() {
    if (committed != null && !(store instanceof SplitView)) {
      long size = store.size();
      if (size < committed.endOfFile()) {
        throw RawData.cut(store.name(), size, committed.endOfFile());
      }
    }
  }

  /**
   * Commits the edits.
   *
   * @param superblock the edited superblock, with the end of the file
   * @param overwritten the durable blocks that were edited; sorted by this method
   * @param journalAt an offset in the store after all allocated space
   */
  void commit(Superblock superblock, List<CachedBlock> overwritten, long journalAt) {
    if (store.size() < superblock.endOfFile()) {
      store.truncate(superblock.endOfFile());
    }
    if (publishes) {
      decide(() -> publish(superblock, overwritten));
    } else if (overwritten.isEmpty()) {
      force();
      MemorySegment bytes = encoded(superblock);
      decide(() -> writeHead(() -> store.write(baseAddress, bytes)));
      force(false); // the length is unchanged
    } else {
      writeJournal(superblock, overwritten, journalAt);
      force();
      decide(() -> applyJournal(journalAt));
    }
    committed = superblock;
    commits = true;
  }

  /**
   * Publishes the edits to readers of other processes. Blocks that nothing refers to yet are in
   * their places; blocks that refer to them are then overwritten, each in one request, after the
   * blocks that they refer to. The superblock comes first: readers take the end of the file from
   * the store, but a program that edits the file after this one was killed must not find the end
   * before blocks that are referred to.
   */
  private void publish(Superblock superblock, List<CachedBlock> overwritten) {
    store.write(baseAddress, encoded(superblock));
    overwritten.sort(Comparator.comparingInt(block -> block.get().publicationOrder()));
    BlockRunWriter writer = new BlockRunWriter(store, geometry, baseAddress, 0, 1);
    for (CachedBlock block : overwritten) {
      writer.add(block.address(), block.sizeBytes(), block.get());
    }
    writer.finish();
    force();
  }

  private void writeJournal(Superblock superblock, List<CachedBlock> overwritten, long at) {
    byte[] newSuperblock = encodedBytes(superblock);
    long entryBytes = Journal.entryBytes(newSuperblock.length);
    for (CachedBlock block : overwritten) {
      entryBytes += Journal.entryBytes(block.sizeBytes());
    }
    Journal.Writer journal =
        new Journal.Writer(store, at, baseAddress, superblock.endOfFile(), entryBytes);
    MetadataWriter writer = new MetadataWriter(geometry, 4096);
    for (CachedBlock block : overwritten) {
      writer.reset();
      BlockRunWriter.encode(block.get(), block.sizeBytes(), writer);
      journal.add(baseAddress + block.address(), writer.array(), writer.position());
    }
    journal.add(baseAddress, newSuperblock, newSuperblock.length);
    journal.finish();
  }

  private void applyJournal(long at) {
    writeHead(() -> Journal.mark(store, baseAddress, at));
    force(false);
    Journal.find(store).apply(durable);
  }

  /** Runs a step that cannot be undone: after a failure the content of the store is unknown. */
  private void decide(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error failure) {
      broken.accept(failure);
      throw failure;
    }
  }

  /**
   * Overwrites the superblock. If the write fails, it may be incomplete, so the previous bytes are
   * restored.
   */
  private void writeHead(Runnable write) {
    try {
      write.run();
    } catch (StorageException failure) {
      if (committed != null) {
        try {
          store.write(baseAddress, encoded(committed));
        } catch (StorageException again) {
          failure.addSuppressed(again);
        }
      }
      throw failure;
    }
  }

  /**
   * Writes consistency flags into the superblock at once, so that other processes see them.
   *
   * @param flags a combination of {@link Superblock#OPEN_FOR_WRITE} and {@link
   *     Superblock#OPEN_FOR_SWMR}
   */
  static Superblock mark(ByteStore store, Superblock superblock, int flags) {
    Superblock marked = superblock.withConsistencyFlags(flags);
    store.write(marked.baseAddress(), encoded(marked));
    store.force(true);
    return marked;
  }

  private static MemorySegment encoded(Superblock superblock) {
    return MemorySegment.ofArray(encodedBytes(superblock));
  }

  private static byte[] encodedBytes(Superblock superblock) {
    MetadataWriter writer =
        new MetadataWriter(superblock.geometry(), SuperblockCodec.MAXIMUM_BYTES);
    SuperblockCodec.encode(superblock, writer);
    return writer.toByteArray();
  }

  private void force() {
    force(true);
  }

  /** Makes the written bytes durable, and the length if it may have changed. */
  private void force(boolean length) {
    if (durable) {
      try {
        store.force(length);
      } catch (RuntimeException | Error failure) {
        broken.accept(failure); // systems forget what they could not store, and would succeed next
        throw failure;
      }
    }
    rawWritten = false;
  }
}
