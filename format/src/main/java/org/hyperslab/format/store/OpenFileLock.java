package org.hyperslab.format.store;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Locks ranges of a file against every other opening of it, in this process and in others. Unlike
 * Java's file locks, which belong to the process, these last until they are released, even if
 * another part of the process closes the same file.
 *
 * <p>The locks are advisory. They interact with the record locks that other programs take with
 * {@code fcntl}, and not with the lock on a whole file ({@link FileLocking}).
 *
 * <p>Thread rule: one thread at a time.
 */
public final class OpenFileLock implements AutoCloseable {

  private final PosixFile file;

  private OpenFileLock(PosixFile file) {
    this.file = file;
  }

  /**
   * {@return a descriptor for locking ranges of a file; empty on systems other than Linux and on
   * file systems without such locks}
   *
   * @param path the path of an existing file that may be written
   * @throws org.hyperslab.error.StorageException if it cannot be opened
   */
  public static Optional<OpenFileLock> open(Path path) {
    if (!PosixFile.available()) {
      return Optional.empty();
    }
    PosixFile file = PosixFile.open(path, true);
    boolean there = file.lockRange(false, 0, 1);
    if (!there) {
      file.close();
    }
    return there ? Optional.of(new OpenFileLock(file)) : Optional.empty();
  }

  /**
   * Waits until no other opener holds a lock on any byte of a range, and locks it.
   *
   * @param from the offset of the first byte
   * @param toExclusive the offset after the last byte
   * @return false if the file system does not support such locks
   */
  public boolean lock(long from, long toExclusive) {
    return file.lockRange(true, from, toExclusive);
  }

  /**
   * Locks a range if no other opener holds a lock on any byte of it.
   *
   * @param from the offset of the first byte
   * @param toExclusive the offset after the last byte
   * @return false if another opener holds one
   */
  public boolean tryLock(long from, long toExclusive) {
    return file.tryLockRange(from, toExclusive);
  }

  /**
   * Unlocks a range.
   *
   * @param from the offset of the first byte
   * @param toExclusive the offset after the last byte
   */
  public void unlock(long from, long toExclusive) {
    file.lockRange(false, from, toExclusive);
  }

  /** Releases all locks. */
  @Override
  public void close() {
    file.close();
  }
}
