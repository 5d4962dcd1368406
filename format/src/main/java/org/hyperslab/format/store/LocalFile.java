package org.hyperslab.format.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;

/**
 * An open file of this machine: its channel, a descriptor for what channels do not offer, and its
 * advisory lock.
 *
 * <p>When a thread is interrupted during a call, Java closes the channel for all threads. This
 * class then opens the same file again and repeats the call.
 *
 * <p>Thread rule: safe.
 */
final class LocalFile implements AutoCloseable {

  private final Path path;
  private final Optional<ConfinedFolder> within;
  private final FileAccess access;
  private final Object fileKey;
  private final ChannelGuard guard;
  private PosixFile posix;
  private boolean holdsLock;

  /** The lock of the channel; null where descriptors are used, or none is held. */
  private FileLock channelLock;

  private boolean closed;

  /** Whether the name of the file is durable, or was there before. */
  private volatile boolean isNamed;

  private LocalFile(
      Path path,
      Optional<ConfinedFolder> within,
      FileAccess access,
      Object fileKey,
      FileChannel channel) {
    this.path = path;
    this.within = within;
    this.access = access;
    this.isNamed = !access.creates();
    this.fileKey = fileKey;
    FileAccess again = access.writable() ? FileAccess.UPDATE : FileAccess.READ;
    this.guard = new ChannelGuard(channel, () -> reopen(again));
  }

  /**
   * Opens a file, which is not cut.
   *
   * @param within the folder that it must be below; empty if it may be anywhere
   */
  static LocalFile open(Path path, FileAccess access, Optional<ConfinedFolder> within)
      throws IOException {
    FileChannel channel = channel(path, access, within);
    try {
      return new LocalFile(path, within, access, key(path, within), channel);
    } catch (IOException | RuntimeException | Error failure) {
      channel.close();
      throw failure;
    }
  }

  private static FileChannel channel(Path path, FileAccess access, Optional<ConfinedFolder> within)
      throws IOException {
    Set<OpenOption> options = options(access);
    return within.isPresent() ? within.get().open(path, options) : FileChannel.open(path, options);
  }

  private static Set<OpenOption> options(FileAccess access) {
    EnumSet<StandardOpenOption> options = EnumSet.of(StandardOpenOption.READ);
    if (access.writable()) {
      options.add(StandardOpenOption.WRITE);
    }
    if (access == FileAccess.CREATE_NEW) {
      options.add(StandardOpenOption.CREATE_NEW);
    } else if (access.creates()) {
      options.add(StandardOpenOption.CREATE);
    }
    return Set.copyOf(options);
  }

  private static Object key(Path path, Optional<ConfinedFolder> within) throws IOException {
    return within.isPresent()
        ? within.get().key(path)
        : Files.readAttributes(path, BasicFileAttributes.class, new LinkOption[0]).fileKey();
  }

  private boolean isReplaced() throws IOException {
    return fileKey != null && !fileKey.equals(key(path, within));
  }

  /** Returns the path, as given. */
  Path path() {
    return path;
  }

  /** Returns the path, for messages. */
  String name() {
    return path.toString();
  }

  /** Returns how the file was opened. */
  FileAccess access() {
    return access;
  }

  /** Returns the channel, for transfers. */
  ChannelGuard channel() {
    return guard;
  }

  /**
   * Makes a request to the channel; repeats it if the channel was closed by an interrupt.
   *
   * @param operation the operation, for messages
   * @param offset the first byte, for messages
   * @param length the number of bytes, for messages
   * @return what the request returns
   */
  long call(String operation, long offset, long length, ChannelGuard.Request request) {
    return guard.call(name(), operation, offset, length, request);
  }

  /** Opens another channel of the same file. */
  FileChannel reopen(FileAccess as) throws IOException {
    if (isReplaced()) {
      throw new IOException("the file was replaced while it was open, and cannot be reopened");
    }
    return channel(path, as, within);
  }

  /**
   * Makes the name of a file that was created durable, when the file is first forced: otherwise a
   * power cut could leave the content of a file that no folder has.
   *
   * @throws StorageException if that fails
   */
  void forceName() {
    if (!isNamed) {
      Path folder = realFolder();
      if (folder != null) {
        call(
            "force the folder",
            0,
            0,
            channel -> {
              DurableFile.force(folder);
              return 0;
            });
      }
      isNamed = true;
    }
  }

  /** Returns the folder that has the file's name; null if none has, as of memory of the system. */
  private Path realFolder() {
    try {
      Path real = LocalPaths.areOfSystem(path) ? path.toRealPath() : path.toAbsolutePath();
      return real.getParent();
    } catch (IOException nameless) {
      return null;
    }
  }

  /** Returns a descriptor of the file at the path. */
  synchronized PosixFile posix() {
    if (posix == null) {
      PosixFile opened = PosixFile.open(path, access.writable());
      try {
        within.ifPresent(folder -> folder.check(opened, path));
      } catch (RuntimeException refused) {
        opened.close();
        throw refused;
      }
      posix = opened;
    }
    return posix;
  }

  /**
   * Returns a descriptor of the open file; null if there is none because the file is closed, or its
   * path names another file by now.
   */
  synchronized PosixFile posixOfThisFile() {
    if (posix != null || closed || !usesDescriptors()) {
      return posix;
    }
    try {
      PosixFile file = fileKey == null ? null : posix();
      if (file != null && isReplaced()) {
        file.close();
        posix = null;
      }
    } catch (IOException | StorageException | NotFoundException gone) {
      posix = null;
    }
    return posix;
  }

  /** Takes the advisory lock, if the file system supports it. */
  synchronized void lock(FileLocking locking) {
    if (LocalPaths.areOfSystem(path)) {
      holdsLock = PosixFile.available() && posix().lock(locking);
    } else {
      lockChannel(locking);
    }
  }

  private boolean usesDescriptors() {
    return LocalPaths.areOfSystem(path) && PosixFile.available();
  }

  /** Takes the lock that the channel offers, where the operating system does not know the file. */
  private void lockChannel(FileLocking locking) {
    releaseChannel();
    boolean shared = locking != FileLocking.EXCLUSIVE;
    long taken =
        call(
            "lock",
            0,
            Long.MAX_VALUE,
            channel -> {
              channelLock = channel.tryLock(0, Long.MAX_VALUE, shared);
              return channelLock == null ? 0 : 1;
            });
    if (taken == 0) {
      throw new StorageException(
          "file is locked: actual=a lock held by another opener, expected="
              + locking
              + " lock granted, at="
              + path
              + "; close the file in the other program, or open it without locking");
    }
    holdsLock = true;
  }

  private void releaseChannel() {
    if (channelLock != null) {
      call(
          "unlock",
          0,
          Long.MAX_VALUE,
          channel -> {
            channelLock.release();
            return 0;
          });
      channelLock = null;
    }
  }

  /** Returns whether the advisory lock is held. */
  synchronized boolean locked() {
    return holdsLock;
  }

  /** Makes the advisory lock one that others may share, if it is held. */
  synchronized void shareLock() {
    if (holdsLock) {
      lock(FileLocking.SHARED);
    }
  }

  /** Releases the advisory lock, if it is held. */
  synchronized void unlock() {
    if (holdsLock) {
      if (LocalPaths.areOfSystem(path)) {
        posix().unlock();
      } else {
        releaseChannel();
      }
      holdsLock = false;
    }
  }

  @Override
  public void close() {
    try {
      guard.close(name());
    } finally {
      closeDescriptor();
    }
  }

  private synchronized void closeDescriptor() {
    closed = true;
    holdsLock &= posix != null; // closing the channel has released its own lock
    if (posix != null) {
      releaseLock();
      posix.close();
      posix = null;
    }
  }

  /**
   * Releases the lock explicitly: a child process that is being started has a copy of the
   * descriptor for a moment, so that closing only this descriptor would keep the lock.
   */
  private void releaseLock() {
    try {
      unlock();
    } catch (StorageException ignored) { // closing releases it
      holdsLock = false;
    }
  }
}
