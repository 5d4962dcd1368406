package org.hyperslab.mpiio.collective;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.OpenFileLock;

/**
 * Locks ranges of a named file: among threads of this JVM by a table, and among processes by the
 * operating system's locks, if the file has a path and other processes take part. The locks belong
 * to an opening (see {@link OpenFileLock}), because the record locks of a process vanish when any
 * part of it closes the file, such as another rank's store or a library's own MPI-IO.
 *
 * <p>Thread rule: one thread at a time. An object holds at most one range; objects of one JVM that
 * name the same file exclude each other.
 */
public final class FileRangeLock implements AutoCloseable {

  /** The ranges held in this JVM, by file; static because ranks have different objects. */
  private static final ConcurrentHashMap<String, List<Range>> HELD = new ConcurrentHashMap<>();

  private final String name;
  private final Path path;
  private OpenFileLock opening;
  private FileChannel channel;
  private FileLock processLock;
  private Range mine;

  private FileRangeLock(String name, Path path) {
    this.name = name;
    this.path = path;
  }

  /** A held range, compared by identity. */
  private static final class Range {
    final long from;
    final long toExclusive;

    Range(long from, long toExclusive) {
      this.from = from;
      this.toExclusive = toExclusive;
    }

    boolean overlaps(Range other) {
      return from < other.toExclusive && other.from < toExclusive;
    }
  }

  /**
   * {@return a lock among the threads of this JVM that use the same name}
   *
   * @param name the name of the store
   */
  public static FileRangeLock amongThreads(String name) {
    return new FileRangeLock(name, null);
  }

  /**
   * {@return a lock among threads and processes on the file at {@code path}}
   *
   * @param path the path of the file
   */
  public static FileRangeLock amongProcesses(Path path) {
    return new FileRangeLock(path.toAbsolutePath().normalize().toString(), path);
  }

  /**
   * Waits for bytes {@code from .. toExclusive} and holds them until {@link #unlock}.
   *
   * @param from the first byte
   * @param toExclusive the byte after the last
   */
  public void lock(long from, long toExclusive) {
    Range wanted = new Range(from, toExclusive);
    List<Range> held = HELD.computeIfAbsent(name, absent -> new ArrayList<>());
    synchronized (held) {
      while (held.stream().anyMatch(wanted::overlaps)) {
        try {
          held.wait();
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw new StorageException(
              "lock failed: actual=interrupted, at=" + name + "@" + from, interrupted);
        }
      }
      held.add(wanted);
    }
    mine = wanted;
    if (path != null) {
      lockProcess(from, toExclusive, true);
    }
  }

  /**
   * Locks bytes as {@link #lock} does, but only if that needs no waiting.
   *
   * @param from the first byte
   * @param toExclusive the byte after the last
   * @return whether the range is held now
   */
  public boolean tryLock(long from, long toExclusive) {
    Range wanted = new Range(from, toExclusive);
    List<Range> held = HELD.computeIfAbsent(name, absent -> new ArrayList<>());
    synchronized (held) {
      if (held.stream().anyMatch(wanted::overlaps)) {
        return false;
      }
      held.add(wanted);
    }
    mine = wanted;
    return path == null || lockProcess(from, toExclusive, false);
  }

  /**
   * Takes a lock of this opening or, if the system has none, of the process.
   *
   * @return false if another process holds it and {@code wait} is false; nothing is held then
   */
  private boolean lockProcess(long from, long toExclusive, boolean wait) {
    try {
      if (opening == null && channel == null) {
        opening = OpenFileLock.open(path).orElse(null);
      }
      boolean held = opening != null ? lockOpening(from, toExclusive, wait) : lockChannel(wait);
      if (!held) {
        unlockHere();
      }
      return held;
    } catch (IOException | StorageException failed) {
      unlock();
      throw new StorageException(
          "lock failed: actual=" + failed + ", at=" + name + "@" + from, failed);
    }
  }

  private boolean lockOpening(long from, long toExclusive, boolean wait) throws IOException {
    if (!wait) {
      return opening.tryLock(from, toExclusive);
    }
    if (!opening.lock(from, toExclusive)) {
      throw new IOException("the file system refuses the lock");
    }
    return true;
  }

  private boolean lockChannel(boolean wait) throws IOException {
    if (channel == null) {
      channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }
    long length = mine.toExclusive - mine.from;
    processLock =
        wait ? channel.lock(mine.from, length, false) : channel.tryLock(mine.from, length, false);
    return processLock != null;
  }

  /** Releases the range that is held; does nothing if none is. */
  public void unlock() {
    if (mine == null) {
      return;
    }
    try {
      if (opening != null) {
        opening.unlock(mine.from, mine.toExclusive);
      } else if (processLock != null) {
        processLock.release();
      }
    } catch (IOException failed) {
      throw new StorageException("unlock failed: actual=" + failed + ", at=" + name, failed);
    } finally {
      unlockHere();
    }
  }

  private void unlockHere() {
    processLock = null;
    List<Range> held = HELD.get(name);
    synchronized (held) {
      held.remove(mine);
      held.notifyAll();
    }
    mine = null;
  }

  /** Releases the held range, and frees the lock. */
  @Override
  public void close() {
    unlock();
    try {
      if (opening != null) {
        opening.close();
        opening = null;
      }
      if (channel != null) {
        channel.close();
      }
    } catch (IOException failed) {
      throw new StorageException("close failed: actual=" + failed + ", at=" + name, failed);
    }
  }
}
