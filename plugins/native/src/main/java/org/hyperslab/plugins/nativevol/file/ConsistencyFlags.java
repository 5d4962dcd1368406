package org.hyperslab.plugins.nativevol.file;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.superblock.Superblock;
import org.hyperslab.model.OpenOptions;

/**
 * The flags in a version 3 superblock that inform other processes that a process has the file open
 * for writing, with or without concurrent readers (specification: File Consistency Flags; H5Fint.c,
 * H5F_open).
 *
 * <p>A SWMR writer always sets them. Any other writer sets them only if it holds no lock, because a
 * lock has the same effect and ends with the process. A file that this library writes is consistent
 * at every instant, so a writer that died need not keep others from opening it.
 *
 * <p>Thread rule: no state.
 */
final class ConsistencyFlags {

  /**
   * The property of {@link OpenOptions} that opens a file although it is marked as open for
   * writing.
   */
  static final String CLEAR = "clearConsistencyFlags";

  private static final int VERSION_WITH_FLAGS = 3;

  private ConsistencyFlags() {}

  /**
   * Returns an opened file's superblock after checking the flags of other processes and, for
   * editing, setting our own.
   *
   * @throws StorageException if a writer has the file open, or died with it open
   * @throws InvalidUseException if SWMR writing is requested and the superblock's version has no
   *     flags
   */
  static Superblock heeded(ByteStore store, Superblock stored, OpenOptions options) {
    Superblock heeded = stored.markedOpen() ? checked(store, stored, options) : stored;
    return store.readOnly() ? heeded : set(store, stored, options);
  }

  private static Superblock checked(ByteStore store, Superblock superblock, OpenOptions options) {
    boolean swmr = superblock.isMarked(Superblock.OPEN_FOR_SWMR);
    if (Boolean.parseBoolean(options.properties().get(CLEAR))) {
      return superblock.withConsistencyFlags(0);
    }
    if (!options.writable() && swmr && options.swmr()) {
      return superblock;
    }
    throw new StorageException(
        "file is marked as open for writing: actual=consistency flags 0x"
            + Integer.toHexString(superblock.consistencyFlags())
            + ", expected=0, at="
            + store.name()
            + "; wait for its writer to close it, or, if that has died, clear the flags with"
            + " 'hyperslab clear -s', 'h5clear -s' or the option "
            + CLEAR
            + "=true"
            + (swmr ? "; to read what a SWMR writer writes, open it with swmr" : ""));
  }

  /** Marks a file that is being opened for editing, at once and visible to other processes. */
  private static Superblock set(ByteStore store, Superblock superblock, OpenOptions options) {
    if (options.swmr()) {
      requireFlags(store, superblock);
    }
    int flags = whileOpen(store, superblock, options.swmr());
    return flags == superblock.consistencyFlags()
        ? superblock
        : options.swmr() ? published(store, superblock) : Committer.mark(store, superblock, flags);
  }

  /**
   * Marks a file that is open for editing as one whose readers follow its writer.
   *
   * @throws InvalidUseException if the superblock's version has no flags
   */
  static Superblock published(ByteStore store, Superblock superblock) {
    requireFlags(store, superblock);
    int flags = whileOpen(store, superblock, true);
    Superblock marked = Committer.mark(store, superblock, flags);
    if (store instanceof FileStore local) {
      // The flags keep writers out and let readers in; the lock keeps the file from being replaced.
      local.shareLock();
    }
    return marked;
  }

  private static void requireFlags(ByteStore store, Superblock superblock) {
    if (superblock.version() < VERSION_WITH_FLAGS) {
      throw new InvalidUseException(
          "SWMR writing: actual=superblock of version "
              + superblock.version()
              + ", expected=3, at="
              + store.name()
              + "; create the file with swmr, or with V110 as the lower bound");
    }
  }

  /** Returns the flags of a file while it is open for editing. */
  static int whileOpen(ByteStore store, Superblock superblock, boolean swmr) {
    if (superblock.version() < VERSION_WITH_FLAGS) {
      return superblock.consistencyFlags();
    }
    if (swmr) {
      return Superblock.OPEN_FOR_WRITE | Superblock.OPEN_FOR_SWMR;
    }
    return store instanceof FileStore local && !local.locked() ? Superblock.OPEN_FOR_WRITE : 0;
  }
}
