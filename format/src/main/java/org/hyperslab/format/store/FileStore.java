package org.hyperslab.format.store;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;

/**
 * A local file, accessed by positional reads and writes of a {@link FileChannel}.
 *
 * <p>Segments outside the heap are transferred directly, up to 1 GiB per request, and several of
 * them are read by one request if the system supports it. Segments on the heap, and neighbouring
 * small pieces of a gather, go through a pooled direct buffer; long reads into the heap, or of rows
 * with gaps, go through a mapping. Short transfers are continued until they are complete.
 *
 * <p>When a thread is interrupted during a call, Java closes the channel for all threads. This
 * class then opens the same file again, completes the transfer and restores the interrupt flag, so
 * that an interrupt never makes I/O fail.
 *
 * <p>Thread rule: as {@link ByteStore}.
 */
public final class FileStore implements ByteStore {

  /**
   * The longest hole in a list that is read and discarded, because that takes less time than
   * another system call.
   */
  private static final int SCRAP_BYTES = 4096;

  private final LocalFile file;
  private final ChannelTransfers transfers;
  private final MappedReads mapped;
  private final KernelRequests started;
  private volatile CacheAdvice advice;

  private FileStore(LocalFile file) {
    this.file = file;
    this.transfers = new ChannelTransfers(file.name(), file.channel());
    this.mapped = new MappedReads(file.name(), () -> file.reopen(FileAccess.READ));
    this.started = new KernelRequests(file.name());
  }

  /**
   * Opens {@code path} without a lock.
   *
   * @param path the file's path
   * @param access reading, editing or creating
   * @return the store
   */
  public static FileStore open(Path path, FileAccess access) {
    return open(path, access, FileLocking.NONE);
  }

  /**
   * Opens {@code path} with the requested lock.
   *
   * @param path the file's path
   * @param access reading, editing or creating
   * @param locking whether and how the file is locked
   * @return the store
   * @throws NotFoundException if it does not exist and may not be created
   * @throws AlreadyExistsException if it exists and must not
   * @throws StorageException if it cannot be opened, or another opener holds a lock on it
   */
  public static FileStore open(Path path, FileAccess access, FileLocking locking) {
    return open(path, access, locking, Optional.empty());
  }

  /**
   * Opens {@code path}, if it is below a folder.
   *
   * @param path the file's path
   * @param access reading, editing or creating
   * @param locking whether and how the file is locked
   * @param within the folder; empty if the path may be anywhere
   * @return the store
   * @throws NotFoundException if it is out of reach, or does not exist and may not be created
   * @throws AlreadyExistsException if it exists and must not
   * @throws StorageException if it cannot be opened, or another opener holds a lock on it
   */
  public static FileStore open(
      Path path, FileAccess access, FileLocking locking, Optional<ConfinedFolder> within) {
    FileStore store = opened(path, access, within);
    try {
      if (locking != FileLocking.NONE) {
        store.file.lock(locking);
      }
      if (access == FileAccess.TRUNCATE) { // only now: before it is locked, others may read it
        store.truncate(0);
      }
      return store;
    } catch (RuntimeException | Error failure) {
      store.close();
      throw failure;
    }
  }

  private static FileStore opened(Path path, FileAccess access, Optional<ConfinedFolder> within) {
    try {
      if (within.isEmpty() && Files.isDirectory(path)) {
        throw new StorageException("open failed: actual=a directory, expected=a file, at=" + path);
      }
      return new FileStore(LocalFile.open(path, access, within));
    } catch (NoSuchFileException absent) {
      throw Ranges.notFound(path, access, absent);
    } catch (FileAlreadyExistsException present) {
      throw new AlreadyExistsException(
          "file exists: actual=existing file, expected=none, at=" + path, present);
    } catch (IOException failure) {
      throw new StorageException(
          "open failed: actual=" + failure + ", expected=" + access + ", at=" + path, failure);
    }
  }

  /**
   * Begins to link the system calls that opening a file needs, on a thread of its own, for programs
   * that are about to open their first one. Linking takes tens of milliseconds and is otherwise
   * done by the first opening, which then waits for this.
   */
  public static void linkAhead() {
    Thread.ofPlatform().daemon().name("link system calls").start(PosixFile::rehearse);
  }

  /** {@return the file's path, as given} */
  public Path path() {
    return file.path();
  }

  /** {@return whether an advisory lock is held; false if the file system does not support locks} */
  public boolean locked() {
    return file.locked();
  }

  /** Makes the advisory lock, if one is held, one that others may share. */
  public void shareLock() {
    file.shareLock();
  }

  /** Releases the advisory lock, if one is held, and keeps the file open. */
  public void unlock() {
    file.unlock();
  }

  /**
   * Advises the system on the access pattern of this file, so that it reads ahead and drops ranges
   * that are not needed again. Wrong advice costs only time. Has no effect if the system does not
   * support such advice.
   *
   * @param readOnce whether no byte is read twice
   * @param writeOnce whether bytes that were written and forced are neither read nor written again
   * @param direction 1 if each read begins where the previous one ended, -1 if it ends where the
   *     previous one began, 0 if neither is the case
   */
  public void expectAccess(boolean readOnce, boolean writeOnce, int direction) {
    boolean any = readOnce || writeOnce || direction != 0;
    PosixFile posix = any ? file.posixOfThisFile() : null;
    advice = posix == null ? null : new CacheAdvice(posix, readOnce, writeOnce, direction);
  }

  /**
   * Advises the system that reads begin anywhere, so that it does not read beyond what is
   * requested. Does not concern reads of 1 MiB and more that go through a mapping, which are long
   * enough for read-ahead to be useful.
   *
   * @param expected whether reads are such; if not, the system decides, as it does at first
   * @return whether the system accepts the advice; not if it has none, or {@code expected} is false
   */
  public boolean expectRandomReads(boolean expected) {
    RandomReads reads = expected ? RandomReads.of(file.posixOfThisFile()) : null;
    transfers.readAtRandom(reads);
    return reads != null;
  }

  private void noteRead(long offset, long length) {
    CacheAdvice told = advice;
    if (told != null) {
      told.read(offset, length);
    }
  }

  private void noteWrite(long offset, long length) {
    CacheAdvice told = advice;
    if (told != null) {
      told.written(offset, length);
    }
  }

  @Override
  public String name() {
    return file.name();
  }

  @Override
  public boolean readOnly() {
    return !file.access().writable();
  }

  @Override
  public long size() {
    return file.call("size", 0, 0, FileChannel::size);
  }

  @Override
  public void read(long offset, MemorySegment target) {
    checkReadOffset(offset, target.byteSize());
    if (!readMapped(offset, target)) {
      transfers.read(offset, target);
    }
    noteRead(offset, target.byteSize());
  }

  @Override
  public void read(long offset, MemorySegment[] targets) {
    checkReadOffset(offset, Ranges.totalBytes(targets));
    long at = offset;
    for (int first = 0; first < targets.length; ) {
      int end = vectored(PosixFile::read, at, targets, first, targets.length);
      if (end == first) {
        end = transfers.readSome(at, targets, first);
      }
      for (; first < end; first++) {
        at += targets[first].byteSize();
      }
    }
    noteRead(offset, at - offset);
  }

  /** A system call for several pieces of memory. */
  private interface VectoredCall {
    long move(PosixFile file, long offset, MemorySegment[] pieces, int first, int end);
  }

  /**
   * Transfers several pieces outside the heap directly between the file and memory, if the system
   * supports it.
   *
   * @param limit the index after the last piece
   * @return the index after the last transferred piece; {@code first} if none was transferred
   */
  private int vectored(
      VectoredCall call, long offset, MemorySegment[] pieces, int first, int limit) {
    int most = Math.min(limit, first + PosixFile.MAX_PIECES);
    int end = first;
    long bytes = 0;
    MemorySegment.Scope reachable = null;
    while (end < most) {
      MemorySegment piece = pieces[end];
      MemorySegment.Scope scope = piece.scope();
      if (scope != reachable && !PosixFile.isReachable(piece)) {
        break;
      }
      reachable = scope;
      if (!piece.isNative() || bytes + piece.byteSize() > ChannelTransfers.REQUEST_BYTES) {
        break;
      }
      bytes += piece.byteSize();
      end++;
    }
    PosixFile posix = end - first > 1 ? file.posixOfThisFile() : null;
    return posix != null && call.move(posix, offset, pieces, first, end) == bytes ? end : first;
  }

  /** {@inheritDoc} Holes of up to a page between ranges are also read, and discarded. */
  @Override
  public void readList(long[] offsets, MemorySegment[] targets) {
    Ranges.checkList(offsets, targets);
    MemorySegment scrap = null;
    List<MemorySegment> pieces = new ArrayList<>(targets.length);
    for (int first = 0; first < targets.length; ) {
      pieces.clear();
      pieces.add(targets[first]);
      long end = offsets[first] + targets[first].byteSize();
      int next = first + 1;
      for (; next < targets.length; next++) {
        long hole = offsets[next] - end;
        if (hole < 0 || hole > SCRAP_BYTES) {
          break;
        }
        if (hole > 0) {
          scrap = scrap == null ? Arena.ofAuto().allocate(SCRAP_BYTES) : scrap;
          pieces.add(scrap.asSlice(0, hole));
        }
        pieces.add(targets[next]);
        end = offsets[next] + targets[next].byteSize();
      }
      read(offsets[first], pieces.toArray(MemorySegment[]::new));
      first = next;
    }
  }

  /**
   * {@inheritDoc} Adjacent ranges are written by one system call. Every other one takes a call of
   * its own: POSIX has no call that writes to several places.
   */
  @Override
  public void writeList(long[] offsets, MemorySegment[] sources) {
    Ranges.checkList(offsets, sources);
    checkWritable("write");
    for (int first = 0; first < sources.length; ) {
      int limit = Ranges.endOfAdjacent(offsets, sources, first);
      long bytes = Ranges.totalBytes(Arrays.copyOfRange(sources, first, limit));
      Ranges.checkWrite(name(), offsets[first], bytes);
      int end = vectored(PosixFile::write, offsets[first], sources, first, limit);
      if (end == first) {
        write(offsets[first], Arrays.copyOfRange(sources, first, limit));
        end = limit;
      } else {
        noteWrite(offsets[first], bytes);
      }
      first = end;
    }
  }

  @Override
  public void readRows(long offset, long length, long stride, long count, MemorySegment target) {
    Objects.checkFromIndexSize(0, Math.multiplyExact(length, count), target.byteSize());
    checkReadOffset(offset, Math.multiplyExact(stride, count));
    Rows rows = new Rows(length, stride, count);
    if (readMapped(offset, rows, target)) {
      noteRead(offset, rows.spanBytes());
      return;
    }
    boolean direct = count > 1 && PosixFile.isReachable(target);
    PosixFile posix = direct ? file.posixOfThisFile() : null;
    if (posix == null || !posix.readRows(offset, rows, target)) {
      ByteStore.super.readRows(offset, length, stride, count, target);
    } else {
      noteRead(offset, rows.spanBytes());
    }
  }

  private boolean readMapped(long offset, MemorySegment target) {
    if (!MappedReads.suits(target)) {
      return false;
    }
    Ranges.checkRead(name(), offset, target.byteSize(), size());
    return mapped.read(offset, target);
  }

  private boolean readMapped(long offset, Rows rows, MemorySegment target) {
    if (!MappedReads.suits(rows)) {
      return false;
    }
    Ranges.checkRead(name(), offset, rows.spanBytes(), size());
    return mapped.read(offset, rows, target);
  }

  private void checkReadOffset(long offset, long length) {
    if (offset < 0 || offset > Long.MAX_VALUE - length) {
      Ranges.checkRead(name(), offset, length, size());
    }
  }

  @Override
  public void write(long offset, MemorySegment source) {
    checkWritable("write");
    Ranges.checkWrite(name(), offset, source.byteSize());
    transfers.write(offset, source);
    noteWrite(offset, source.byteSize());
  }

  @Override
  public void write(long offset, MemorySegment[] sources) {
    checkWritable("write");
    Ranges.checkWrite(name(), offset, Ranges.totalBytes(sources));
    long at = offset;
    for (int first = 0; first < sources.length; ) {
      int end = transfers.writeSome(at, sources, first);
      for (; first < end; first++) {
        at += sources[first].byteSize();
      }
    }
    noteWrite(offset, at - offset);
  }

  private void checkWritable(String operation) {
    if (readOnly()) {
      throw Ranges.readOnly(name(), operation);
    }
  }

  /**
   * Has the kernel execute requests that are started ({@code io_uring} of Linux 5.6), or no longer.
   * Without this, {@link #startRead} and {@link #startWrite} start nothing.
   *
   * @param wanted whether it shall; requests in progress are awaited if not
   * @return whether it does; not if the system has no such requests or denies them
   */
  public boolean startRequestsInKernel(boolean wanted) {
    return started.use(wanted, file::posixOfThisFile);
  }

  /** {@return whether the kernel executes requests that are started} */
  public boolean startsRequestsInKernel() {
    return started.areUsed();
  }

  @Override
  public Optional<Pending> startRead(long offset, MemorySegment target) {
    checkReadOffset(offset, target.byteSize());
    return started.start(false, offset, target, () -> noteRead(offset, target.byteSize()));
  }

  @Override
  public Optional<Pending> startWrite(long offset, MemorySegment source) {
    checkWritable("write");
    Ranges.checkWrite(name(), offset, source.byteSize());
    return started.start(true, offset, source, () -> noteWrite(offset, source.byteSize()));
  }

  @Override
  public void truncate(long sizeBytes) {
    checkWritable("truncate");
    Ranges.checkSize(name(), sizeBytes);
    file.call(
        "truncate",
        sizeBytes,
        0,
        channel -> {
          long size = channel.size();
          if (sizeBytes < size) {
            channel.truncate(sizeBytes);
          } else if (sizeBytes > size && !lengthens(sizeBytes)) {
            channel.write(ByteBuffer.allocate(1), sizeBytes - 1);
          }
          return 0;
        });
  }

  /** Lengthens the file without writing to it, if the system does that; returns whether. */
  private boolean lengthens(long sizeBytes) {
    PosixFile posix = file.posixOfThisFile();
    return posix != null && posix.resize(sizeBytes);
  }

  @Override
  public void preallocate(long offset, long length) {
    checkWritable("preallocate");
    Ranges.checkReserve(name(), offset, length);
    if (length > 0 && LocalPaths.areOfSystem(file.path()) && PosixFile.available()) {
      file.posix().reserve(offset, length);
    }
  }

  @Override
  public void force(boolean withMetadata) {
    file.call(
        "force",
        0,
        0,
        channel -> {
          channel.force(withMetadata);
          return 0;
        });
    file.forceName();
    CacheAdvice told = advice;
    if (told != null) {
      told.forced();
    }
  }

  @Override
  public void close() {
    started.use(false, () -> null);
    transfers.readAtRandom(null);
    try {
      mapped.close();
    } finally {
      file.close();
    }
  }

  @Override
  public String toString() {
    return "FileStore[" + file.path() + ", " + file.access() + "]";
  }
}
