package org.hyperslab.mpiio.schedule;

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
 * operating system's, where the file has a path and other processes take part: those of an opening
 * (see {@link OpenFileLock}), for the record locks of a process vanish when any part of it closes
 * the file, such as another rank's store or a library's own MPI-IO.
 *
 * <p>Thread rule: each rank has its own object; ranks of one JVM that name the same file exclude
 * each other.
 */
public final class FileRangeLock implements RangeLock {

  /** The ranges held in this JVM, by file; ranks of different objects must find each other. */
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
   * {@return a lock among the threads of this JVM that give the same name}
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

  @Override
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
      lockProcess(from, toExclusive);
    }
  }

  /** By a lock of our opening; where there are none, by one of the process. */
  private void lockProcess(long from, long toExclusive) {
    try {
      if (opening == null && channel == null) {
        opening = OpenFileLock.open(path).orElse(null);
      }
      if (opening != null) {
        if (opening.lock(from, toExclusive)) {
          return;
        }
        throw new IOException("the file system refuses the lock");
      }
      if (channel == null) {
        channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
      }
      processLock = channel.lock(from, toExclusive - from, false);
    } catch (IOException | StorageException failed) {
      unlock();
      throw new StorageException(
          "lock failed: actual=" + failed + ", at=" + name + "@" + from, failed);
    }
  }

  @Override
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
      processLock = null;
      List<Range> held = HELD.get(name);
      synchronized (held) {
        held.remove(mine);
        held.notifyAll();
      }
      mine = null;
    }
  }

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
