package org.hyperslab.mpiio.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.hyperslab.error.MpiException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.OpenFileLock;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.waiting.Ticker;

/**
 * Locks ranges of a named file: among threads of this JVM by a table, and among processes by the
 * operating system's locks, if the file has a path and other processes take part. The locks belong
 * to an opening (see {@link OpenFileLock}), because the record locks of a process vanish when any
 * part of it closes the file, such as another rank's store or a library's own MPI-IO.
 *
 * <p>With a {@link Limit} a rank gives up a range that the same holder has held for that time. The
 * time starts anew when the holder changes, so that a queue of slow accesses is no error. Holders
 * in other processes of the machine are found by the system's lists; one on another machine is not
 * seen, so the time does not start anew there.
 *
 * <p>Thread rule: one thread at a time. An object holds at most one range; objects of one JVM that
 * name the same file exclude each other.
 */
public final class FileRangeLock implements AutoCloseable {

  /** The ranges held in this JVM, by file; static because ranks have different objects. */
  private static final ConcurrentHashMap<String, Table> HELD = new ConcurrentHashMap<>();

  private static final long LEAST_PAUSE_NANOS = 20_000;
  private static final long MOST_PAUSE_NANOS = 1_000_000;

  private final String name;
  private final Path path;
  private Limit limit = new Limit(MpiException.NO_RANK, Ticker.SYSTEM, Long.MAX_VALUE);
  private OpenFileLock opening;
  private FileChannel channel;
  private FileLock processLock;
  private Range mine;

  private FileRangeLock(String name, Path path) {
    this.name = name;
    this.path = path;
  }

  /**
   * The time that a rank waits for a range.
   *
   * @param rank the rank, named to those who wait for it
   * @param ticker the time of the ranks
   * @param nanos how long one holder is waited for, in nanoseconds; {@link Long#MAX_VALUE} for ever
   */
  public record Limit(int rank, Ticker ticker, long nanos) {

    /**
     * {@return the limit that a file's hints set}
     *
     * @param comm the ranks of the file
     * @param hints the hints of the file
     */
    public static Limit of(Communicator comm, Hints hints) {
      return new Limit(comm.rank(), comm.ticker(), hints.deadlineNanos());
    }

    boolean isEndless() {
      return nanos == Long.MAX_VALUE;
    }
  }

  /** A held range, compared by identity. */
  private static final class Range {
    final long from;
    final long toExclusive;
    final int rank;

    Range(long from, long toExclusive, int rank) {
      this.from = from;
      this.toExclusive = toExclusive;
      this.rank = rank;
    }

    boolean overlaps(Range other) {
      return from < other.toExclusive && other.from < toExclusive;
    }

    @Override
    public String toString() {
      return from + " to " + (toExclusive - 1);
    }
  }

  /**
   * A thread that waits.
   *
   * @param thread the thread
   * @param ticker lets it pause
   */
  private record Waiter(Thread thread, Ticker ticker) {}

  /** The held ranges of a file, and the threads that wait for any of them; used within the map. */
  private static final class Table {
    private final List<Range> held = new ArrayList<>();
    private final List<Waiter> waiters = new ArrayList<>();

    /** Takes a range if no other overlaps it; returns the other. */
    Range take(Range wanted) {
      for (Range other : held) {
        if (wanted.overlaps(other)) {
          return other;
        }
      }
      held.add(wanted);
      return null;
    }

    void release(Range range) {
      held.remove(range);
      waiters.forEach(waiter -> waiter.ticker.unpark(waiter.thread));
    }
  }

  /** Changes the table of this file, which is in the map as long as it has content. */
  private void change(Consumer<Table> change) {
    HELD.compute(
        name,
        (_, known) -> {
          Table table = known == null ? new Table() : known;
          change.accept(table);
          return table.held.isEmpty() && table.waiters.isEmpty() ? null : table;
        });
  }

  /** Takes a range if no other of this JVM overlaps it; returns the other. */
  private Range take(Range wanted) {
    Range[] other = new Range[1];
    change(table -> other[0] = table.take(wanted));
    return other[0];
  }

  /** Returns whether any range of a file is held or waited for in this JVM. */
  static boolean isUsed(String name) {
    return HELD.containsKey(name);
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
   * Limits how long {@link #lock} waits, from the next call on.
   *
   * @param wanted the limit
   * @return this lock
   */
  public FileRangeLock limited(Limit wanted) {
    limit = wanted;
    return this;
  }

  /**
   * Waits for bytes {@code from .. toExclusive} and holds them until {@link #unlock}.
   *
   * @param from the first byte
   * @param toExclusive the byte after the last
   * @throws MpiException if the same holder has held one of them for the time of the limit; names
   *     the rank or process, and holds nothing
   * @throws StorageException if the system refuses the lock, or the thread is interrupted
   */
  public void lock(long from, long toExclusive) {
    Range wanted = new Range(from, toExclusive, limit.rank);
    if (take(wanted) != null) {
      Waiter me = new Waiter(Thread.currentThread(), limit.ticker);
      change(table -> table.waiters.add(me));
      try {
        await(wanted);
      } finally {
        change(table -> table.waiters.remove(me));
      }
    }
    mine = wanted;
    if (path != null) {
      lockProcess(from, toExclusive, true);
    }
  }

  /** Waits for other threads of this JVM. */
  private void await(Range wanted) {
    Range before = null;
    long since = 0;
    for (Range other = take(wanted); other != null; other = take(wanted)) {
      checkInterrupted(wanted.from);
      long now = limit.ticker.nanoTime();
      if (other != before) {
        before = other;
        since = now;
      }
      long left = limit.nanos - (now - since);
      if (left <= 0) {
        String holder = other.rank < 0 ? "another thread" : "rank " + other.rank;
        throw givenUp(wanted, other.rank, holder + " (bytes " + other + ")");
      }
      limit.ticker.parkNanos(this, left);
    }
  }

  private void checkInterrupted(long from) {
    if (Thread.currentThread().isInterrupted()) {
      throw new StorageException("lock failed: actual=interrupted, at=" + name + "@" + from);
    }
  }

  private MpiException givenUp(Range wanted, int rank, String holder) {
    return new MpiException(
        "lock of a range",
        rank,
        MpiException.NO_CODE,
        "actual=bytes "
            + wanted
            + " of "
            + name
            + " have been held by "
            + holder
            + " for "
            + limit.nanos / 1_000_000
            + " ms, expected=released when its access ends; it may have stopped, or has started an"
            + " access and neither tests it nor waits for it; the hint "
            + Hints.DEADLINE
            + " sets the time to wait");
  }

  /**
   * Locks bytes as {@link #lock} does, but only if that needs no waiting.
   *
   * @param from the first byte
   * @param toExclusive the byte after the last
   * @return whether the range is held now
   */
  public boolean tryLock(long from, long toExclusive) {
    Range wanted = new Range(from, toExclusive, limit.rank);
    if (take(wanted) != null) {
      return false;
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
      boolean endless = wait && limit.isEndless();
      boolean held = tryProcess(from, toExclusive, endless);
      if (!held && wait) {
        awaitProcess(from, toExclusive);
        held = true;
      }
      if (!held) {
        unlockHere();
      }
      return held;
    } catch (MpiException givenUp) {
      unlockHere();
      throw givenUp;
    } catch (IOException | StorageException failed) {
      unlock();
      throw new StorageException(
          "lock failed: actual=" + failed + ", at=" + name + "@" + from, failed);
    }
  }

  private boolean tryProcess(long from, long toExclusive, boolean wait) throws IOException {
    return opening != null ? lockOpening(from, toExclusive, wait) : lockChannel(wait);
  }

  /**
   * Waits for other processes: tries again and again, because the system's own wait has no limit,
   * and looks twice in the time of the limit who holds the range.
   */
  private void awaitProcess(long from, long toExclusive) throws IOException {
    Ticker ticker = limit.ticker;
    long start = ticker.nanoTime();
    long since = start;
    long looked = start;
    List<LockHolder> before = null;
    while (!tryProcess(from, toExclusive, false)) {
      checkInterrupted(from);
      long now = ticker.nanoTime();
      if (now - looked >= limit.nanos / 2) {
        List<LockHolder> holders = LockHolder.of(path, from, toExclusive);
        if (before != null && !holders.equals(before)) {
          since = now;
        } else if (now - since >= limit.nanos) {
          int rank = holders.isEmpty() ? MpiException.NO_RANK : holders.getFirst().rank();
          throw givenUp(mine, rank, LockHolder.describe(holders));
        }
        before = holders;
        looked = now;
      }
      ticker.parkNanos(this, Math.clamp((now - start) / 8, LEAST_PAUSE_NANOS, MOST_PAUSE_NANOS));
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
    Range released = mine;
    change(table -> table.release(released));
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
